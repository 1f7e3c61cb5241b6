import type { JsonObject } from '../../../platform/json/json-value.ts';
import type { TargetProfile } from '../../target-profile.ts';
import type { NeutralTool, ReplyFormat } from '../request.ts';
import type { Fit } from './fit-request.ts';
import { FittedSchemas, type FittedSchema } from './schema/fitted-schemas.ts';
import { addSizes, isWithin, NO_SIZE, type StrictSize } from './schema/strict-size.ts';
import { isOneObject } from './schema/strictness.ts';

/** Each thread has its own. */
const fittedSchemas = new FittedSchemas();

/**
 * Brings the schemas of tools and of the format into the form that the target takes. `strict` is
 * advice: it is left out where the target would refuse the schema, or change what it means.
 */
export const fitSchemas: Fit = (request, profile) => {
  const { format, size } = fitFormat(request.format, profile);
  const tools = fitTools(request.tools, profile, size);
  const isSame = tools === request.tools && format === request.format;
  return { request: isSame ? request : { ...request, tools, format } };
};

/**
 * Whether a schema can be the format of the reply at a target. Otherwise the reply is asked for by
 * a tool or a prompt.
 */
export function formatFits(schema: JsonObject, profile: TargetProfile): boolean {
  const { formatSchema, strictLimits } = profile;
  if (!formatSchema.rootAlternatives && !isOneObject(schema)) return false;
  if (hasLooseFormats(profile)) return true;
  const { size, isFaithful } = fittedSchemas.fit(schema, formatSchema);
  return isFaithful && isWithin(size, strictLimits);
}

/** Where strict formats require all properties, formats that are not strict exist as well. */
function hasLooseFormats({ formatSchema }: TargetProfile): boolean {
  return formatSchema.allRequired;
}

function fitFormat(
  format: ReplyFormat | undefined,
  profile: TargetProfile,
): { readonly format: ReplyFormat | undefined; readonly size: StrictSize } {
  if (format?.type !== 'json_schema' || profile.jsonSchema !== 'format') {
    return { format, size: NO_SIZE };
  }
  const { schema, strict, ...rest } = format;
  const isLoose = hasLooseFormats(profile);
  if (!isLoose || strict === true) {
    const fitted = fittedSchemas.fit(schema, profile.formatSchema);
    const isTaken = fitted.isFaithful && isWithin(fitted.size, profile.strictLimits);
    if (!isLoose || isTaken) return { format: withSchema(format, fitted), size: fitted.size };
  }
  const fitted = fittedSchemas.fit(schema, profile.toolSchema);
  const loose: ReplyFormat = strict === true ? { ...rest, schema } : format;
  return { format: withSchema(loose, fitted), size: NO_SIZE };
}

function withSchema<Part extends { readonly schema: JsonObject | null }>(
  part: Part,
  { schema }: FittedSchema,
): Part {
  return part.schema === schema ? part : { ...part, schema };
}

function fitTools(
  tools: readonly NeutralTool[],
  profile: TargetProfile,
  formatSize: StrictSize,
): readonly NeutralTool[] {
  let size = formatSize;
  let strictCount = 0;
  const fitted = tools.map((tool) => {
    if (tool.schema === null) return tool;
    if (
      tool.strict === true &&
      profile.strictTools &&
      strictCount < profile.strictLimits.toolsMax
    ) {
      const strict = fittedSchemas.fit(tool.schema, profile.strictSchema);
      const together = addSizes(size, strict.size);
      if (strict.isFaithful && isWithin(together, profile.strictLimits)) {
        size = together;
        strictCount += 1;
        return withSchema(tool, strict);
      }
    }
    return withSchema(
      withoutStrict(tool, profile),
      fittedSchemas.fit(tool.schema, profile.toolSchema),
    );
  });
  return fitted.every((tool, index) => tool === tools[index]) ? tools : fitted;
}

/** `strict: false` means something only to targets that know the field. */
function withoutStrict(tool: NeutralTool, { strictTools }: TargetProfile): NeutralTool {
  const { strict, ...rest } = tool;
  return strict === undefined || (!strict && strictTools) ? tool : rest;
}
