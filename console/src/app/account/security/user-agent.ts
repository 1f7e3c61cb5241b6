const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
  [/curl\//, 'curl'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** A browser as people call it: "Firefox · Windows". The header itself when it is none we know. */
export function describeAgent(userAgent: string): string {
  const find = (list: readonly (readonly [RegExp, string])[]): string | undefined =>
    list.find(([pattern]) => pattern.test(userAgent))?.[1];
  const words = [find(BROWSERS), find(SYSTEMS)].filter((word) => word !== undefined);
  return words.length === 0 ? userAgent || '–' : words.join(' · ');
}
