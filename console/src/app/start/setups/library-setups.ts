import { quoted, terminal } from '../terminal';
import type { SetupPart, SetupValues, Tool } from './tool-setup';

function curl({ gatewayUrl, key, model, shell }: SetupValues): readonly SetupPart[] {
  const address = `${gatewayUrl}/v1/chat/completions`;
  const messages = [{ role: 'user', content: 'Say hello.' }];
  // PowerShell takes the quotes out of JSON that it hands to a program.
  if (shell === 'powershell') {
    const body = JSON.stringify({ model, messages });
    const command = [
      `Invoke-RestMethod ${quoted(address, shell)} -Method Post`,
      `-Headers @{ Authorization = ${quoted(`Bearer ${key}`, shell)} }`,
      `-ContentType 'application/json' -Body ${quoted(body, shell)}`,
    ];
    return [terminal(shell, {}, command.join(' `\n  '))];
  }
  const body = JSON.stringify({ model, stream: true, messages });
  const command = [
    `curl ${address} \\`,
    `  -H ${quoted(`Authorization: Bearer ${key}`)} \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${quoted(body)}`,
  ];
  return [terminal(shell, {}, command.join('\n'))];
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

/** It selects the protocol by the model's name unless a setting fixes it. */
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
export const LIBRARIES: readonly Tool[] = [
  { id: 'curl', name: 'curl', protocol: 'openai-chat', parts: curl },
  {
    id: 'openai-python',
    name: 'OpenAI SDK · Python',
    protocol: 'openai-chat',
    parts: openaiPython,
  },
  {
    id: 'openai-typescript',
    name: 'OpenAI SDK · TypeScript',
    protocol: 'openai-chat',
    parts: openaiTypescript,
  },
  { id: 'ai-sdk', name: 'AI SDK', protocol: 'openai-chat', parts: aiSdk },
  { id: 'langchain', name: 'LangChain.js', protocol: 'openai-chat', parts: langchain },
];
