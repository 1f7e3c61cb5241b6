import { describe, expect, it } from 'vitest';
import { refuse } from '../../gateway/platform/errors/refusal.ts';
import { PROTOCOLS } from '../../gateway/protocols/registry.ts';
import { readSource } from '../support/sources/source-files.ts';
import { codeBlocks, sectionOf } from './support/markdown.ts';

const REQUEST_ID = '01a2205c-f568-7837-977c-68da30ca2d39';
const REFUSAL = refuse('insufficient_balance');

const SECTIONS = {
  'openai-chat':
    'Chat Completions, Completions, Embeddings, Images, Moderations, Realtime, Speech, Transcriptions',
  'openai-completions':
    'Chat Completions, Completions, Embeddings, Images, Moderations, Realtime, Speech, Transcriptions',
  'openai-embeddings':
    'Chat Completions, Completions, Embeddings, Images, Moderations, Realtime, Speech, Transcriptions',
  'openai-images':
    'Chat Completions, Completions, Embeddings, Images, Moderations, Realtime, Speech, Transcriptions',
  'openai-moderations':
    'Chat Completions, Completions, Embeddings, Images, Moderations, Realtime, Speech, Transcriptions',
  'openai-realtime':
    'Chat Completions, Completions, Embeddings, Images, Moderations, Realtime, Speech, Transcriptions',
  'openai-speech':
    'Chat Completions, Completions, Embeddings, Images, Moderations, Realtime, Speech, Transcriptions',
  'openai-transcriptions':
    'Chat Completions, Completions, Embeddings, Images, Moderations, Realtime, Speech, Transcriptions',
  rerank: 'Rerank',
  'openai-responses': 'Responses',
  'anthropic-messages': 'Messages',
  gemini: 'Gemini',
} as const;

describe('docs/errors.md', () => {
  it.each(PROTOCOLS)('shows an error as a client of $id gets it', (protocol) => {
    const section = sectionOf(readSource('docs/errors.md'), SECTIONS[protocol.id]);
    const { status, bytes } = protocol.renderError(REFUSAL, REQUEST_ID);
    const [shown] = codeBlocks(section);
    expect(JSON.parse(shown?.text ?? '')).toEqual(JSON.parse(bytes.toString('utf8')));
    expect(section).toContain(`Status ${String(status)}`);
  });
});
