import { quoted, type SetupPart, type SetupValues, type ToolSetup } from './tool-setup';

function curl({ gatewayUrl, key, model }: SetupValues): readonly SetupPart[] {
  const body = JSON.stringify({
    model,
    stream: true,
    messages: [{ role: 'user', content: 'Say hello.' }],
  });
  return [
    {
      kind: 'code',
      label: 'tools.inTerminal',
      code: [
        `curl ${gatewayUrl}/v1/chat/completions \\`,
        `  -H ${quoted(`Authorization: Bearer ${key}`)} \\`,
        `  -H 'Content-Type: application/json' \\`,
        `  -d ${quoted(body)}`,
      ].join('\n'),
    },
  ];
}

function openaiPython({ gatewayUrl, key, model }: SetupValues): readonly SetupPart[] {
  return [
    { kind: 'code', label: 'tools.install', code: 'pip install openai' },
    {
      kind: 'code',
      label: { file: 'hello.py' },
      code: `from openai import OpenAI

client = OpenAI(
    base_url=${JSON.stringify(`${gatewayUrl}/v1`)},
    api_key=${JSON.stringify(key)},
)

stream = client.chat.completions.create(
    model=${JSON.stringify(model)},
    messages=[{"role": "user", "content": "Say hello."}],
    stream=True,
)
for chunk in stream:
    if chunk.choices:
        print(chunk.choices[0].delta.content or "", end="")`,
    },
  ];
}

function openaiTypescript({ gatewayUrl, key, model }: SetupValues): readonly SetupPart[] {
  return [
    { kind: 'code', label: 'tools.install', code: 'npm install openai' },
    {
      kind: 'code',
      label: { file: 'hello.ts' },
      code: `import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: ${quoted(`${gatewayUrl}/v1`)},
  apiKey: ${quoted(key)},
});

const stream = await client.chat.completions.create({
  model: ${quoted(model)},
  messages: [{ role: 'user', content: 'Say hello.' }],
  stream: true,
});
for await (const chunk of stream) {
  process.stdout.write(chunk.choices[0]?.delta.content ?? '');
}`,
    },
  ];
}

function aiSdk({ gatewayUrl, key, model }: SetupValues): readonly SetupPart[] {
  return [
    { kind: 'code', label: 'tools.install', code: 'npm install ai @ai-sdk/openai-compatible' },
    {
      kind: 'code',
      label: { file: 'hello.ts' },
      code: `import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { streamText } from 'ai';

const weir = createOpenAICompatible({
  name: 'weir',
  baseURL: ${quoted(`${gatewayUrl}/v1`)},
  apiKey: ${quoted(key)},
});

const { textStream } = streamText({ model: weir(${quoted(model)}), prompt: 'Say hello.' });
for await (const text of textStream) {
  process.stdout.write(text);
}`,
    },
  ];
}

/** It changes to another protocol by the name of the model unless it is told not to. */
function langchain({ gatewayUrl, key, model }: SetupValues): readonly SetupPart[] {
  return [
    { kind: 'code', label: 'tools.install', code: 'npm install @langchain/openai' },
    {
      kind: 'code',
      label: { file: 'hello.ts' },
      code: `import { ChatOpenAI } from '@langchain/openai';

const chat = new ChatOpenAI({
  model: ${quoted(model)},
  apiKey: ${quoted(key)},
  useResponsesApi: false,
  configuration: { baseURL: ${quoted(`${gatewayUrl}/v1`)} },
});

const reply = await chat.invoke('Say hello.');
console.log(reply.content);`,
    },
  ];
}

/** Libraries and the command line. */
export function libraries(values: SetupValues): readonly ToolSetup[] {
  return [
    { id: 'curl', name: 'curl', protocol: 'chat_completions', parts: curl(values) },
    {
      id: 'openai-python',
      name: 'OpenAI SDK · Python',
      protocol: 'chat_completions',
      parts: openaiPython(values),
    },
    {
      id: 'openai-typescript',
      name: 'OpenAI SDK · TypeScript',
      protocol: 'chat_completions',
      parts: openaiTypescript(values),
    },
    { id: 'ai-sdk', name: 'AI SDK', protocol: 'chat_completions', parts: aiSdk(values) },
    {
      id: 'langchain',
      name: 'LangChain.js',
      protocol: 'chat_completions',
      parts: langchain(values),
    },
  ];
}
