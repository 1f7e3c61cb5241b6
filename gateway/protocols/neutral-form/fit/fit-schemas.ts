import type { JsonObject } from '../../../platform/json/json-value.ts';
import type { TargetProfile } from '../../target-profile.ts';
import type { NeutralMessage, NeutralRequest, NeutralTool, ReplyFormat } from '../request.ts';
import type { Fit } from './fit-request.ts';
import type { FittedNames } from './names/fitted-names.ts';
import { renameKeys } from './names/key-renamer.ts';
import { mapSame } from './map-same.ts';
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
  const names = new Map<string, FittedNames>();
  const { format, size, propertyNames } = fitFormat(request.format, profile);
  const tools = fitTools(request, profile, { formatSize: size, names });
  const isSame = tools === request.tools && format === request.format;
  const fitted = isSame ? request : { ...request, tools, format };
  const leftOut = isStrictLost(request.tools, tools) ? (['strictTools'] as const) : [];
  if (names.size === 0 && propertyNames === undefined) return { request: fitted, leftOut };
  return {
    leftOut,
    request: { ...fitted, messages: withFittedInputs(request.messages, names) },
    restoration: {
      ...(names.size > 0 && {
        propertyNames: new Map([...names].map(([tool, { own }]) => [tool, own])),
      }),
      ...(propertyNames && { formatPropertyNames: propertyNames.own }),
    },
  };
};

function isStrictLost(given: readonly NeutralTool[], fitted: readonly NeutralTool[]): boolean {
  return given.some(({ strict }, at) => strict === true && fitted[at]?.strict !== true);
}

/** Earlier calls have the names that their tools have now. */
function withFittedInputs(
  messages: readonly NeutralMessage[],
  names: ReadonlyMap<string, FittedNames>,
): readonly NeutralMessage[] {
  return mapSame(messages, (message) => {
    if (message.role !== 'assistant') return message;
    const parts = mapSame(message.parts, (part) => {
      const fitted = part.type === 'tool_call' ? names.get(part.name) : undefined;
      if (part.type !== 'tool_call' || part.freeForm || fitted === undefined) return part;
      return { ...part, input: renameKeys(part.input, fitted.fitted) };
    });
    return parts === message.parts ? message : { role: 'assistant', parts };
  });
}

/**
 * Reports whether a schema can be the format of the reply at a target. Otherwise the reply is asked
 * for by a tool or a prompt.
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
): {
  readonly format: ReplyFormat | undefined;
  readonly size: StrictSize;
  readonly propertyNames?: FittedNames | undefined;
} {
  if (format?.type !== 'json_schema' || profile.jsonSchema !== 'format') {
    return { format, size: NO_SIZE };
  }
  const { schema, strict, ...rest } = format;
  const isLoose = hasLooseFormats(profile);
  if (!isLoose || strict === true) {
    const fitted = fittedSchemas.fit(schema, profile.formatSchema);
    const isTaken = fitted.isFaithful && isWithin(fitted.size, profile.strictLimits);
    if (!isLoose || isTaken) return { ...fitted, format: withSchema(format, fitted) };
  }
  const fitted = fittedSchemas.fit(schema, profile.toolSchema);
  const loose: ReplyFormat = strict === true ? { ...rest, schema } : format;
  return { ...fitted, format: withSchema(loose, fitted), size: NO_SIZE };
}

function withSchema<Part extends { readonly schema: JsonObject | null }>(
  part: Part,
  { schema }: FittedSchema,
): Part {
  return part.schema === schema ? part : { ...part, schema };
}

function fitTools(
  { tools }: NeutralRequest,
  profile: TargetProfile,
  {
    formatSize,
    names,
  }: { readonly formatSize: StrictSize; readonly names: Map<string, FittedNames> },
): readonly NeutralTool[] {
  let size = formatSize;
  let strictCount = 0;
  const withFitted = (tool: NeutralTool, fitted: FittedSchema): NeutralTool => {
    if (fitted.propertyNames !== undefined) names.set(tool.name, fitted.propertyNames);
    return withSchema(tool, fitted);
  };
  return mapSame(tools, (tool) => {
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
        return withFitted(tool, strict);
      }
    }
    return withFitted(
      withoutStrict(tool, profile),
      fittedSchemas.fit(tool.schema, profile.toolSchema),
    );
  });
}

/** `strict: false` means something only to targets that know the field. */
function withoutStrict(tool: NeutralTool, { strictTools }: TargetProfile): NeutralTool {
  const { strict, ...rest } = tool;
  return strict === undefined || (!strict && strictTools) ? tool : rest;
}
