import { describe, expect, it } from 'vitest';
import { readEvent } from '../../../../gateway/protocols/openai-realtime/from-client/read-event.ts';

const SOUND = 'QUJD'.repeat(400);
const APPEND = { type: 'input_audio_buffer.append', audio: SOUND, event_id: 'e1' };

function read(frame: string) {
  return readEvent(Buffer.from(frame), 16);
}

describe('an event with sound', () => {
  it('has its length and everything else, and not the sound itself', () => {
    const { type } = APPEND;
    const expected = { type, eventId: 'e1', audioCharacters: SOUND.length };
    const found = read(JSON.stringify(APPEND));
    expect(found).toMatchObject({ ...expected, event: { ...APPEND, audio: '' } });
    const spaced = JSON.stringify(APPEND, null, 2);
    expect(read(spaced)).toMatchObject(expected);
    const reordered = JSON.stringify({ audio: SOUND, type, event_id: 'e1' });
    expect(read(reordered)).toMatchObject(expected);
  });

  it('is parsed as a whole where the sound is short, or written with escapes', () => {
    const short = { ...APPEND, audio: 'QUJD' };
    const expected = { event: short, audioCharacters: 4 };
    expect(read(JSON.stringify(short))).toMatchObject(expected);
    const escaped = JSON.stringify(APPEND).replace('QUJDQUJD', String.raw`\u0051UJDQUJD`);
    expect(read(escaped)).toMatchObject({ event: APPEND, audioCharacters: SOUND.length });
    const named = JSON.stringify(APPEND).replace('"audio"', String.raw`"\u0061udio"`);
    expect(read(named)).toMatchObject({ event: APPEND, audioCharacters: SOUND.length });
  });

  it.each([
    ['two sounds', JSON.stringify(APPEND).replace('{', `{"audio":"${SOUND}",`)],
    ['two types', JSON.stringify(APPEND).replace('{', '{"type":"response.create",')],
    ['something behind the sound', JSON.stringify(APPEND).replace(`${SOUND}"`, `${SOUND}" 1`)],
    ['two texts in a row', JSON.stringify(APPEND).replace(`${SOUND}"`, `${SOUND}" "${SOUND}"`)],
    ['an end within the sound', JSON.stringify(APPEND).slice(0, 900)],
    ['something behind the event', `${JSON.stringify(APPEND)}{}`],
  ])('with %s is refused', (_name, frame) => {
    expect(read(frame)).toMatchObject({ refused: 'invalid_json' });
  });

  it('is not taken for sound where it is no text', () => {
    const { type } = APPEND;
    for (const audio of [null, 1, [SOUND], { data: SOUND }]) {
      expect(read(JSON.stringify({ type, audio }))).toMatchObject({ audioCharacters: null });
    }
  });
});
