/** The hosts of Vertex AI: of `global`, of a region, and of several regions. */
const GOOGLE_HOST = /^(?:[\w-]+-)?aiplatform(?:\.\w+\.rep)?\.googleapis\.com$/;
const MULTI_REGIONS: ReadonlySet<string> = new Set(['us', 'eu']);
const LOCATION = /(?<=\/locations\/)[^/]+/;

/**
 * Returns the base address of another location. A host that is not Google's, such as a private
 * endpoint or a gateway before Vertex, keeps its name: it is told the location by the path alone.
 * An address of express mode has no location.
 */
export function atLocation(baseUrl: string, location: string): string {
  if (!LOCATION.test(baseUrl)) return baseUrl;
  const url = new URL(baseUrl);
  url.pathname = url.pathname.replace(LOCATION, location);
  if (GOOGLE_HOST.test(url.hostname)) url.hostname = hostOf(location);
  return url.href.replace(/\/$/, '');
}

/** Returns `{project}/{location}`; undefined of express mode. */
export function placeOf(baseUrl: string): string | undefined {
  const [, project, location] = /\/projects\/([^/]+)\/locations\/([^/]+)/.exec(baseUrl) ?? [];
  return project === undefined ? undefined : `${project}/${location ?? ''}`;
}

function hostOf(location: string): string {
  if (location === 'global') return 'aiplatform.googleapis.com';
  return MULTI_REGIONS.has(location)
    ? `aiplatform.${location}.rep.googleapis.com`
    : `${location}-aiplatform.googleapis.com`;
}
