import { expect, test } from 'vitest';
import { Edits } from './edits';

test('Only what differs from what was saved is an edit', () => {
  const form = { name: 'one' };
  const edits = new Edits(() => form);
  expect(edits.any()).toBe(false);
  form.name = 'two';
  expect(edits.any()).toBe(true);
  form.name = 'one';
  expect(edits.any()).toBe(false);
});

test('What is edited while the form is saved stays an edit', () => {
  const form = { name: 'one' };
  const edits = new Edits(() => form);
  form.name = 'two';
  const sent = edits.snapshot();
  form.name = 'three';
  edits.saved(sent);
  expect(edits.any()).toBe(true);
  form.name = 'two';
  expect(edits.any()).toBe(false);
});
