import { describe, expect, it } from 'vitest';
import { ProofMemory } from '../../../../gateway/protocols/neutral-form/proofs/proof-memory.ts';
import type { Proof } from '../../../../gateway/protocols/neutral-form/proofs/proof.ts';
import { neutralForm as gemini } from '../../../../gateway/protocols/gemini/neutral-form.ts';
import { neutralForm as chat } from '../../../../gateway/protocols/openai-chat/neutral-form.ts';
import { targetOf } from '../../../support/upstreams/target.ts';
import { chatRequest, found } from '../openai-chat/neutral-form/support/neutral-form.ts';

const DAY_MS = 24 * 3_600_000;

function call(number: number, name = 'ls'): { id: string; name: string } {
  return { id: `call_${String(number).padStart(12, '0')}`, name };
}

function proof(value: string): Proof {
  return { of: 'gemini', value };
}

describe('a memory of proofs', () => {
  it('has that of a call by its id and name, for a day', () => {
    const memory = new ProofMemory();
    memory.remember(call(1), proof('one'), 0);
    memory.remember(call(2), proof('two'), 1);
    expect(memory.recall(call(1), DAY_MS - 1)).toEqual(proof('one'));
    expect(memory.recall(call(1), DAY_MS)).toBeNull();
    expect(memory.recall(call(2), DAY_MS)).toEqual(proof('two'));
    expect(memory.recall(call(2, 'rm'), 2)).toBeNull();
    // What is over leaves when something comes.
    memory.remember(call(3), proof('three'), DAY_MS + 1);
    expect(memory.size).toBe(1);
  });

  it('forgets the oldest of too many', () => {
    const memory = new ProofMemory();
    for (let number = 0; number <= 20_000; number += 1) {
      memory.remember(call(number), proof('x'), number);
    }
    expect(memory.size).toBe(20_000);
    expect(memory.recall(call(0), 20_000)).toBeNull();
    expect(memory.recall(call(1), 20_000)).toEqual(proof('x'));
  });

  it('forgets the oldest where all together are too long, and takes none that is too long alone', () => {
    const memory = new ProofMemory();
    const long = 'x'.repeat(64 * 1024);
    for (let number = 0; number < 300; number += 1) memory.remember(call(number), proof(long), 0);
    expect(memory.size).toBe(256);
    expect(memory.recall(call(299), 1)).toEqual(proof(long));
    memory.remember(call(300), proof(`${long}x`), 0);
    expect(memory.recall(call(300), 1)).toBeNull();
  });

  it('counts a call that comes twice once', () => {
    const memory = new ProofMemory();
    const long = 'x'.repeat(64 * 1024);
    for (let time = 0; time < 300; time += 1) memory.remember(call(1), proof(long), 0);
    memory.remember(call(2), proof('y'), 0);
    expect(memory.size).toBe(2);
  });

  it('takes none of ids that are counted up', () => {
    const memory = new ProofMemory();
    memory.remember({ id: 'call_1', name: 'ls' }, proof('one'), 0);
    expect(memory.size).toBe(0);
  });
});

describe('a chat client on Gemini that sends back no more of a call than its id, name and arguments', () => {
  const SIGNED = {
    functionCall: { name: 'ls', args: { path: '/' } },
    thoughtSignature: 'c2lnbmVk',
  };
  const FRAME = { index: 0, finishReason: 'STOP' };
  const reply = { candidates: [{ ...FRAME, content: { role: 'model', parts: [SIGNED] } }] };

  interface SentCall {
    id: string;
    function: { name: string; arguments: string };
  }

  /** The next turn as Gemini gets it, from a client that has kept this of the call. */
  function nextTurn({ id, function: { name } }: SentCall): string {
    const tool_calls = [{ id, type: 'function', function: { name, arguments: '{"path":"/"}' } }];
    const request = chatRequest({
      messages: [
        { role: 'user', content: 'look' },
        { role: 'assistant', content: null, tool_calls },
        { role: 'tool', tool_call_id: id, content: 'a.txt' },
      ],
    });
    const target = targetOf({ upstreamModel: 'gemini-3-pro' }, 'gemini');
    return JSON.stringify(gemini.writeRequest(found(chat.readRequest(request)), target));
  }

  it('has its signature, of a whole reply', () => {
    const read = gemini.readReply(Buffer.from(JSON.stringify(reply)), () => undefined);
    if (read === undefined) throw new Error('no reply');
    const written = chat.writeReply(read, chatRequest(), null).toString();
    const { choices } = JSON.parse(written) as {
      choices: { message: { tool_calls: SentCall[] } }[];
    };
    const [sent] = choices[0]?.message.tool_calls ?? [];
    if (sent === undefined) throw new Error('no call');
    expect(nextTurn(sent)).toContain('"thoughtSignature":"c2lnbmVk"');
    expect(nextTurn({ ...sent, id: `${sent.id}0` })).toContain('skip_thought_signature_validator');
  });

  it('has its signature, of a stream', () => {
    const reader = gemini.readStream(() => undefined);
    const writer = chat.writeStream(chatRequest({ stream: true }));
    const events = reader.read('', Buffer.from(JSON.stringify(reply)));
    const text = events.map((event) => writer.write(event)).join('');
    const id = /"id":"(call_\w+)"/.exec(text)?.[1] ?? '';
    expect(nextTurn({ id, function: { name: 'ls', arguments: '' } })).toContain('c2lnbmVk');
  });
});
