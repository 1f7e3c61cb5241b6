import { isObject, items, text, valueAt, type Json, type Path, type Spoken } from './rule.ts';

interface SeenTool {
  /** The path of the tool's name. */
  readonly path: Path;
  readonly name: string;
  /** The namespace of the tool, in protocols that have some. */
  readonly namespace?: string;
  readonly description: string;
  readonly schemaPath: Path;
  /** Undefined where the tool has none. */
  readonly schema: unknown;
  readonly strict: boolean;
}

interface SeenCall {
  readonly idPath: Path;
  readonly id: string;
  readonly namePath: Path;
  readonly name: string;
}

interface SeenMedia {
  readonly path: Path;
  /** The type of media in the request's bytes. */
  readonly type?: string;
  /** The address of media. */
  readonly url?: string;
}

interface SeenFormat {
  readonly path: Path;
  readonly name: string;
  readonly schema: unknown;
  readonly strict: boolean;
}

/** The common view of requests of all protocols, with the places of its parts. */
export interface View {
  readonly tools: readonly SeenTool[];
  readonly format: SeenFormat | undefined;
  readonly calls: readonly SeenCall[];
  readonly results: readonly { readonly path: Path; readonly id: string }[];
  readonly images: readonly SeenMedia[];
}

function dataUrl(path: Path, value: unknown): SeenMedia {
  const url = text(value);
  const type = /^data:([^;,]*)/.exec(url)?.[1];
  return type === undefined ? { path, url } : { path, type };
}

/** Tools and calls of them are functions, or free-form. */
function kindOf({ type }: Json): 'function' | 'custom' {
  return type === 'custom' ? type : 'function';
}

function chat(body: Json): View {
  const format = body['response_format'];
  const schema = isObject(format) ? format['json_schema'] : undefined;
  const messages = items(body['messages']);
  return {
    tools: items(body['tools']).flatMap(([index, tool]) => {
      const kind = kindOf(tool);
      const fn = tool[kind];
      if (!isObject(fn)) return [];
      const path = ['tools', index, kind];
      return [
        {
          path: [...path, 'name'],
          name: text(fn['name']),
          description: text(fn['description']),
          schemaPath: [...path, 'parameters'],
          schema: fn['parameters'],
          strict: fn['strict'] === true,
        },
      ];
    }),
    format: isObject(schema)
      ? {
          path: ['response_format'],
          name: text(schema['name']),
          schema: schema['schema'],
          strict: schema['strict'] === true,
        }
      : undefined,
    calls: messages.flatMap(([at, message]) =>
      items(message['tool_calls']).map(([index, call]) => {
        const path = ['messages', at, 'tool_calls', index];
        const kind = kindOf(call);
        const fn = isObject(call[kind]) ? call[kind] : {};
        return {
          idPath: [...path, 'id'],
          id: text(call['id']),
          namePath: [...path, kind, 'name'],
          name: text(fn['name']),
        };
      }),
    ),
    results: messages
      .filter(([, { role }]) => role === 'tool')
      .map(([at, { tool_call_id: id }]) => ({
        path: ['messages', at, 'tool_call_id'],
        id: text(id),
      })),
    images: messages.flatMap(([at, { content }]) =>
      items(content).flatMap(([index, { image_url: image }]) =>
        isObject(image)
          ? [dataUrl(['messages', at, 'content', index, 'image_url'], image['url'])]
          : [],
      ),
    ),
  };
}

/** Empty of tools that the vendor runs. */
function responsesTool(path: Path, tool: Json, namespace?: string): SeenTool[] {
  if (tool['type'] !== 'function' && tool['type'] !== 'custom') return [];
  return [
    {
      path: [...path, 'name'],
      name: text(tool['name']),
      ...(namespace !== undefined && { namespace }),
      description: text(tool['description']),
      schemaPath: [...path, 'parameters'],
      schema: tool['type'] === 'custom' ? undefined : tool['parameters'],
      strict: tool['strict'] === true,
    },
  ];
}

function responses(body: Json): View {
  const input = items(body['input']);
  const format = isObject(body['text']) ? body['text']['format'] : undefined;
  const parts = input.flatMap(([at, { content, output }]) => [
    ...items(content).map(([index, part]) => [['input', at, 'content', index], part] as const),
    ...items(output).map(([index, part]) => [['input', at, 'output', index], part] as const),
  ]);
  return {
    tools: items(body['tools']).flatMap(([index, tool]) =>
      tool['type'] === 'namespace'
        ? items(tool['tools']).flatMap(([inner, one]) =>
            responsesTool(['tools', index, 'tools', inner], one, text(tool['name'])),
          )
        : responsesTool(['tools', index], tool),
    ),
    format:
      isObject(format) && format['type'] === 'json_schema'
        ? {
            path: ['text', 'format'],
            name: text(format['name']),
            schema: format['schema'],
            strict: format['strict'] === true,
          }
        : undefined,
    calls: input
      .filter(([, { type }]) => type === 'function_call' || type === 'custom_tool_call')
      .map(([at, item]) => ({
        idPath: ['input', at, 'call_id'],
        id: text(item['call_id']),
        namePath: ['input', at, 'name'],
        name: text(item['name']),
      })),
    results: input
      .filter(
        ([, { type }]) => type === 'function_call_output' || type === 'custom_tool_call_output',
      )
      .map(([at, { call_id: id }]) => ({ path: ['input', at, 'call_id'], id: text(id) })),
    images: parts.flatMap(([path, { image_url: url }]) =>
      typeof url === 'string' ? [dataUrl([...path, 'image_url'], url)] : [],
    ),
  };
}

function messages(body: Json): View {
  const { output_config: config } = body;
  const format = isObject(config) ? config['format'] : undefined;
  const blocks = items(body['messages']).flatMap(([at, { content }]) =>
    items(content).flatMap(([index, block]) => {
      const path: Path = ['messages', at, 'content', index];
      const inner = items(block['content']).map(([inside, part]): [Path, Json] => [
        [...path, 'tool_result', 'content', inside],
        part,
      ]);
      return [[path, block] as [Path, Json], ...inner];
    }),
  );
  return {
    tools: items(body['tools'])
      .filter(([, { type = 'custom' }]) => type === 'custom')
      .map(([index, tool]) => ({
        path: ['tools', index, 'custom', 'name'],
        name: text(tool['name']),
        description: text(tool['description']),
        schemaPath: ['tools', index, 'custom', 'input_schema'],
        schema: tool['input_schema'],
        strict: tool['strict'] === true,
      })),
    format: isObject(format)
      ? {
          path: ['output_config', 'format', 'schema'],
          name: '',
          schema: format['schema'],
          strict: true,
        }
      : undefined,
    calls: blocks
      .filter(([, { type }]) => type === 'tool_use')
      .map(([path, block]) => ({
        idPath: [...path, 'tool_use', 'id'],
        id: text(block['id']),
        namePath: [...path, 'tool_use', 'name'],
        name: text(block['name']),
      })),
    results: blocks
      .filter(([, { type }]) => type === 'tool_result')
      .map(([path, block]) => ({
        path: [...path, 'tool_result', 'tool_use_id'],
        id: text(block['tool_use_id']),
      })),
    images: blocks
      .filter(([, { type }]) => type === 'image')
      .map(([path, { source }]) => {
        const { media_type: type, url } = isObject(source) ? source : {};
        const at = [...path, 'image', 'source', 'base64', 'media_type'];
        return typeof url === 'string' ? { path: at, url } : { path: at, type: text(type) };
      }),
  };
}

function converse(body: Json): View {
  const { toolConfig, outputConfig } = body;
  const schema = isObject(outputConfig)
    ? valueAt(outputConfig, 'textFormat.structure.jsonSchema.schema')
    : undefined;
  const blocks = items(body['messages']).flatMap(([at, { content }]) =>
    items(content).map(([index, block]): [Path, Json] => [
      ['messages', at, 'content', index],
      block,
    ]),
  );
  const named = (key: 'toolUse' | 'toolResult' | 'image'): [Path, Json][] =>
    blocks.flatMap(([path, { [key]: found }]) =>
      isObject(found) ? [[[...path, key], found] as [Path, Json]] : [],
    );
  return {
    tools: items(isObject(toolConfig) ? toolConfig['tools'] : undefined).flatMap(
      ([at, { toolSpec: spec }]) => {
        if (!isObject(spec)) return [];
        const path = ['toolConfig', 'tools', at, 'toolSpec'];
        return [
          {
            path: [...path, 'name'],
            name: text(spec['name']),
            description: text(spec['description']),
            schemaPath: [...path, 'inputSchema', 'json'],
            schema: isObject(spec['inputSchema']) ? spec['inputSchema']['json'] : undefined,
            strict: spec['strict'] === true,
          },
        ];
      },
    ),
    format:
      typeof schema === 'string'
        ? {
            path: ['outputConfig', 'textFormat'],
            name: '',
            schema: JSON.parse(schema) as unknown,
            strict: true,
          }
        : undefined,
    calls: named('toolUse').map(([path, call]) => ({
      idPath: [...path, 'toolUseId'],
      id: text(call['toolUseId']),
      namePath: [...path, 'name'],
      name: text(call['name']),
    })),
    results: named('toolResult').map(([path, { toolUseId: id }]) => ({
      path: [...path, 'toolUseId'],
      id: text(id),
    })),
    images: named('image').map(([path, { format }]) => ({ path, type: `image/${text(format)}` })),
  };
}

function gemini(body: Json): View {
  const { generationConfig: config } = body;
  const { responseSchema, responseJsonSchema } = isObject(config) ? config : {};
  const schema = responseSchema ?? responseJsonSchema;
  const parts = items(body['contents']).flatMap(([at, { parts: all }]) =>
    items(all).map(([index, part]): [Path, Json] => [['contents', at, 'parts', index], part]),
  );
  const named = (key: 'functionCall' | 'functionResponse'): [Path, Json][] =>
    parts.flatMap(([path, { [key]: found }]) =>
      isObject(found) ? [[[...path, key], found] as [Path, Json]] : [],
    );
  return {
    tools: items(body['tools']).flatMap(([at, { functionDeclarations: all }]) =>
      items(all).map(([index, declared]) => {
        const path = ['tools', at, 'functionDeclarations', index];
        const json = declared['parametersJsonSchema'];
        return {
          path: [...path, 'name'],
          name: text(declared['name']),
          description: text(declared['description']),
          schemaPath: [...path, json === undefined ? 'parameters' : 'parametersJsonSchema'],
          schema: declared['parameters'] ?? json,
          strict: false,
        };
      }),
    ),
    format:
      schema === undefined
        ? undefined
        : {
            path: [
              'generationConfig',
              responseSchema === undefined ? 'responseJsonSchema' : 'responseSchema',
            ],
            name: '',
            schema,
            strict: false,
          },
    calls: named('functionCall').map(([path, call]) => ({
      idPath: [...path, 'id'],
      id: text(call['id']),
      namePath: [...path, 'name'],
      name: text(call['name']),
    })),
    results: named('functionResponse').map(([path, { id }]) => ({
      path: [...path, 'id'],
      id: text(id),
    })),
    images: parts.flatMap(([path, { inlineData, fileData }]): SeenMedia[] => {
      if (isObject(inlineData)) {
        return [{ path: [...path, 'inlineData'], type: text(inlineData['mimeType']) }];
      }
      return isObject(fileData)
        ? [{ path: [...path, 'fileData'], url: text(fileData['fileUri']) }]
        : [];
    }),
  };
}

const VIEWS = {
  'openai-chat': chat,
  'openai-responses': responses,
  'anthropic-messages': messages,
  gemini,
  'bedrock-converse': converse,
} as const;

export function viewOf(protocol: Spoken, body: Json): View {
  return VIEWS[protocol](body);
}
