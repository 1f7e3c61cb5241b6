/** A request of Converse as Bedrock hands it to a Claude, whose own rules hold for it. */
import { isObject, items, text, valueAt, type Json } from '../rule.ts';

function blockOf(block: Json): Json[] {
  const { text: said, image, document, toolUse, toolResult, reasoningContent } = block;
  if (said !== undefined) return [{ type: 'text', text: said }];
  if (isObject(image)) {
    const source = { type: 'base64', media_type: `image/${text(image['format'])}` };
    return [{ type: 'image', source }];
  }
  if (isObject(document)) return [{ type: 'document' }];
  if (isObject(toolUse)) {
    const { toolUseId: id, name, input } = toolUse;
    return [{ type: 'tool_use', id, name, input }];
  }
  if (isObject(toolResult)) {
    const { toolUseId: id, content } = toolResult;
    const inner = items(content).flatMap(([, one]) => blockOf(one));
    return [{ type: 'tool_result', tool_use_id: id, content: inner }];
  }
  const thought = isObject(reasoningContent) ? reasoningContent['reasoningText'] : undefined;
  if (!isObject(thought)) return [];
  return [{ type: 'thinking', thinking: thought['text'], signature: thought['signature'] }];
}

/** With the cache points as marks of the blocks before them. */
function blocksOf(content: unknown): Json[] {
  return items(content).reduce<Json[]>((blocks, [, block]) => {
    const last = blocks.at(-1);
    if (block['cachePoint'] === undefined || last === undefined) {
      return [...blocks, ...blockOf(block)];
    }
    return [...blocks.slice(0, -1), { ...last, cache_control: { type: 'ephemeral' } }];
  }, []);
}

function toolsOf(body: Json): Json[] {
  return items(valueAt(body, 'toolConfig.tools')).flatMap(([, { toolSpec: spec }]) => {
    if (!isObject(spec)) return [];
    const { inputSchema, ...fields } = spec;
    return [{ ...fields, input_schema: isObject(inputSchema) ? inputSchema['json'] : undefined }];
  });
}

function choiceOf(choice: unknown): Json | undefined {
  if (!isObject(choice)) return undefined;
  const [type = ''] = Object.keys(choice);
  return { type };
}

function some(fields: Json): Json {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function formatOf(body: Json): Json | undefined {
  const schema = valueAt(body, 'outputConfig.textFormat.structure.jsonSchema.schema');
  if (typeof schema !== 'string') return undefined;
  return { type: 'json_schema', schema: JSON.parse(schema) as unknown };
}

export function asMessages(body: Json, model: string): Json {
  const tools = toolsOf(body);
  const config = {
    effort: valueAt(body, 'outputConfig.effort'),
    format: formatOf(body),
  };
  const additional = body['additionalModelRequestFields'];
  return some({
    model,
    max_tokens: valueAt(body, 'inferenceConfig.maxTokens'),
    system: body['system'] === undefined ? undefined : blocksOf(body['system']),
    messages: items(body['messages']).map(([, { role, content }]) => ({
      role,
      content: blocksOf(content),
    })),
    temperature: valueAt(body, 'inferenceConfig.temperature'),
    top_p: valueAt(body, 'inferenceConfig.topP'),
    stop_sequences: valueAt(body, 'inferenceConfig.stopSequences'),
    tools: tools.length === 0 ? undefined : tools,
    tool_choice: choiceOf(valueAt(body, 'toolConfig.toolChoice')),
    output_config: Object.keys(some(config)).length === 0 ? undefined : some(config),
    ...(isObject(additional) ? additional : {}),
  });
}
