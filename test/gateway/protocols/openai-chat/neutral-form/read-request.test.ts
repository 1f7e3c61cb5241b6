import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { carryProof } from '../../../../../gateway/protocols/neutral-form/proofs/proof.ts';
import { neutralForm } from '../../../../../gateway/protocols/openai-chat/neutral-form.ts';
import {
  LEFT_OUT_FIELDS,
  REFUSED_FIELDS,
} from '../../../../../gateway/protocols/openai-chat/from-client/read-request.ts';
import { WITHHELD_FIELDS } from '../../../../../gateway/protocols/openai-family/withheld-fields.ts';
import { chatRequest, neutral, refusalOf, USER } from './support/neutral-form.ts';

const SDK_TYPES = new URL(
  '../../../../../node_modules/openai/resources/chat/completions/completions.d.ts',
  import.meta.url,
);

/** Fields that the neutral form has. */
const CARRIED_FIELDS = {
  model: 'm',
  messages: [USER],
  frequency_penalty: 0.5,
  logprobs: true,
  max_completion_tokens: 7,
  max_tokens: 7,
  n: 2,
  parallel_tool_calls: false,
  presence_penalty: 0.5,
  prompt_cache_key: 'key',
  reasoning_effort: 'low',
  response_format: { type: 'json_object' },
  safety_identifier: 'person',
  seed: 1,
  stop: ['x'],
  stream: true,
  stream_options: { include_usage: true },
  temperature: 0.5,
  tool_choice: 'auto',
  tools: [{ type: 'function', function: { name: 'f' } }],
  top_logprobs: 2,
  top_p: 0.5,
  user: 'person',
  verbosity: 'low',
};

describe('the fields of a chat request', () => {
  it('are each carried, left out, refused or withheld', () => {
    const declared = /export interface ChatCompletionCreateParamsBase \{(.*?)^\}/ms.exec(
      readFileSync(SDK_TYPES, 'utf8'),
    )?.[1];
    const fields = [...(declared ?? '').matchAll(/^ {4}([a-z_]+)\??:/gm)].map(([, name]) => name);
    expect(fields.length).toBeGreaterThan(30);
    const known = new Set([
      ...Object.keys(CARRIED_FIELDS),
      ...LEFT_OUT_FIELDS,
      ...REFUSED_FIELDS,
      ...WITHHELD_FIELDS,
    ]);
    expect(fields.filter((name) => name !== undefined && !known.has(name))).toEqual([]);
  });

  it('are carried', () => {
    expect(neutral(CARRIED_FIELDS)).toEqual({
      stream: true,
      leftOut: [],
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'U' }] }],
      tools: [{ name: 'f', schema: { type: 'object', properties: {} } }],
      toolChoice: { mode: 'auto' },
      parallelToolCalls: false,
      maxOutputTokens: 7,
      choices: 2,
      temperature: 0.5,
      topP: 0.5,
      presencePenalty: 0.5,
      frequencyPenalty: 0.5,
      seed: 1,
      logprobs: 2,
      stop: ['x'],
      effort: 'low',
      reasoningText: true,
      format: { type: 'json' },
      verbosity: 'low',
      userId: 'person',
      cacheKey: 'key',
    });
  });

  it.each([
    [{ modalities: ['text', 'audio'] }, 'modalities'],
    [{ audio: { voice: 'alloy', format: 'wav' } }, 'audio'],
    [{ prediction: { type: 'content', content: 'x' } }, 'prediction'],
    [{ functions: [{ name: 'f' }] }, 'functions'],
    [{ reasoning_effort: 'heroic' }, 'reasoning_effort'],
    [{ response_format: { type: 'grammar' } }, 'response_format'],
    [{ tool_choice: { type: 'odd' } }, 'tool_choice'],
    [{ messages: [{ role: 'function', name: 'f', content: 'x' }] }, 'messages[0].role'],
    [{ messages: [USER, { role: 'assistant', audio: { id: 'a' } }] }, 'messages[1].audio'],
    [
      { messages: [{ role: 'user', content: [{ type: 'video_url', video_url: {} }] }] },
      'messages[0].content[0].type',
    ],
    [
      { messages: [{ role: 'user', content: [{ type: 'file', file: { filename: 'f' } }] }] },
      'messages[0].content[0].file',
    ],
  ])('are refused by name: %j', (fields, param) => {
    expect(refusalOf(neutralForm.readRequest(chatRequest(fields))).param).toBe(param);
  });

  it('may be null', () => {
    const names = Object.keys(CARRIED_FIELDS).filter(
      (name) => !['model', 'messages'].includes(name),
    );
    const fields = Object.fromEntries(names.map((name) => [name, null]));
    expect(neutral(fields)).toEqual(neutral());
  });
});

describe('messages', () => {
  it('keep media, marks and their order', () => {
    const { messages } = neutral({
      messages: [
        { role: 'developer', content: [{ type: 'text', text: 'S', cache_control: { ttl: '1h' } }] },
        {
          role: 'user',
          content: [
            { type: 'text', text: '' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==', detail: 'low' } },
            { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
            { type: 'input_audio', input_audio: { data: 'AA==', format: 'wav' } },
            {
              type: 'file',
              file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA==' },
            },
          ],
        },
        { role: 'system', content: 'later' },
      ],
    });
    expect(messages).toEqual([
      { role: 'system', parts: [{ type: 'text', text: 'S', cache: { ttl: '5m' } }] },
      {
        role: 'user',
        parts: [
          { type: 'image', source: { base64: 'AA==', mediaType: 'image/png' }, detail: 'low' },
          { type: 'image', source: { url: 'https://example.com/a.png' } },
          { type: 'audio', base64: 'AA==', format: 'wav' },
          {
            type: 'file',
            source: { base64: 'AA==', mediaType: 'application/pdf' },
            name: 'a.pdf',
          },
        ],
      },
      { role: 'system', parts: [{ type: 'text', text: 'later' }] },
    ]);
  });

  it('have calls, their results in one message, and images in those', () => {
    const { messages } = neutral({
      messages: [
        USER,
        {
          role: 'assistant',
          content: null,
          reasoning_content: 'R',
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'f', arguments: '' } },
            { id: 'c2', type: 'custom', custom: { name: 'g', input: 'free' } },
          ],
        },
        { role: 'tool', tool_call_id: 'c2', name: 'g', content: 'two' },
        {
          role: 'tool',
          tool_call_id: 'c1',
          content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }],
        },
      ],
    });
    expect(messages.slice(1)).toEqual([
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'R' },
          { type: 'tool_call', id: 'c1', name: 'f', input: '{}', freeForm: false },
          { type: 'tool_call', id: 'c2', name: 'g', input: 'free', freeForm: true },
        ],
      },
      {
        role: 'tool',
        parts: [
          {
            type: 'tool_result',
            callId: 'c2',
            name: 'g',
            content: [{ type: 'text', text: 'two' }],
            isError: false,
          },
          {
            type: 'tool_result',
            callId: 'c1',
            content: [{ type: 'image', source: { base64: 'AA==', mediaType: 'image/png' } }],
            isError: false,
          },
        ],
      },
    ]);
  });

  it('bring back the proofs that their client was given, and no others', () => {
    const proof = { of: 'gemini', value: 'c2ln', redacted: false } as const;
    const secret = { of: 'anthropic-messages', value: 'eA==', redacted: true } as const;
    const { messages } = neutral({
      messages: [
        USER,
        {
          role: 'assistant',
          content: 'T',
          reasoning_content: 'R',
          reasoning_details: [
            { type: 'reasoning.text', text: '', signature: carryProof(proof) },
            { type: 'reasoning.encrypted', data: carryProof(secret) },
            { type: 'reasoning.text', text: 'foreign', signature: 'foreign' },
          ],
          tool_calls: [
            {
              id: 'c1',
              type: 'function',
              function: { name: 'f', arguments: '{}' },
              extra_content: { google: { thought_signature: carryProof(proof) } },
            },
          ],
        },
      ],
    });
    expect(messages[1]?.parts).toEqual([
      { type: 'reasoning', text: 'R', proof },
      { type: 'reasoning', text: '', proof: secret },
      { type: 'text', text: 'T' },
      { type: 'tool_call', id: 'c1', name: 'f', input: '{}', freeForm: false, proof },
    ]);
  });
});

describe('tools', () => {
  it('are functions and free-form tools', () => {
    const grammar = { syntax: 'lark', definition: 'start: "x"' };
    const parameters = { type: 'object', properties: { a: { type: 'string' } } };
    const { tools, toolChoice } = neutral({
      tools: [
        { type: 'function', function: { name: 'f', description: 'F', parameters, strict: true } },
        { type: 'custom', custom: { name: 'g', format: { type: 'grammar', grammar } } },
      ],
      tool_choice: {
        type: 'allowed_tools',
        allowed_tools: { mode: 'required', tools: [{ type: 'custom', custom: { name: 'g' } }] },
      },
    });
    expect(tools).toEqual([
      { name: 'f', description: 'F', schema: parameters, strict: true },
      { name: 'g', schema: null, grammar },
    ]);
    expect(toolChoice).toEqual({ mode: 'required', among: ['g'] });
  });

  it('may be chosen by name', () => {
    const tools = [{ type: 'function', function: { name: 'f' } }];
    const choice = { type: 'function', function: { name: 'f' } };
    expect(neutral({ tools, tool_choice: choice }).toolChoice).toEqual({ mode: 'tool', name: 'f' });
  });
});
