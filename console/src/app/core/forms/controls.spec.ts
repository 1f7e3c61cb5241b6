import { FormControl } from '@angular/forms';
import { CreditCreate } from '@weir/shared/money/credits';
import { KeyCreate } from '@weir/shared/people/keys';
import { RegistrationCreate } from '@weir/shared/people/registrations';
import { describe, expect, test } from 'vitest';
import { wordsIn } from '../../../testing/words';
import { amount, amountOf, mailbox, mailboxOf, whole, wholeOf } from './controls';
import { faultWords } from './fault-words';

const { t } = await wordsIn('en');

describe('An amount', () => {
  const READ = [
    ['12.50', '12.50'],
    [' $12.50 ', '12.50'],
    ['$ 5', '5'],
    ['-$5', '-5'],
    ['1,000', '1000'],
    ['1 000', '1000'],
    ['12,345,678.9', '12345678.9'],
    ['-1,000.50', '-1000.50'],
  ] as const;

  test.each(READ)('%j is %s', (written, meant) => {
    const control = amount(CreditCreate.properties.amountUsd);
    control.setValue(written);
    expect(control.valid).toBe(true);
    expect(amountOf(control)).toBe(meant);
  });

  // In much of the world a comma stands before the decimals: without it an amount would be a
  // hundredfold.
  const DOUBTFUL = ['12,50', '0,15', '0,150', '1,25', '1.000,50', '1000,000', '1,00', '12 50', ','];

  test.each(DOUBTFUL)('%j is asked about, not guessed', (written) => {
    const control = amount(CreditCreate.properties.amountUsd);
    control.setValue(written);
    expect(faultWords(control.errors, t)).toBe(t('rule.usd'));
  });
});

describe('A whole number', () => {
  test.each([
    ['1,200', 1_200],
    ['1 200', 1_200],
    ['90_000', 90_000],
    ['1200', 1_200],
  ] as const)('%j is %i', (written, meant) => {
    const control = whole(KeyCreate.properties.rpm);
    control.setValue(written);
    expect(control.valid).toBe(true);
    expect(wholeOf(control)).toBe(meant);
  });

  test.each(['1,5', '12,50', '0,150', '1.5', '1 5'])(
    '%j is asked about, not guessed',
    (written) => {
      const control = whole(KeyCreate.properties.rpm);
      control.setValue(written);
      expect(faultWords(control.errors, t)).toBe(t('rule.integer'));
    },
  );
});

test.each([
  [' ann@example.org ', 'ann@example.org'],
  ['ann@bücher.example', 'ann@xn--bcher-kva.example'],
  ['ann@例子.广告', 'ann@xn--fsqu00a.xn--4rr70v'],
  ['ann@', 'ann@'],
  ['no address', 'no address'],
])('%s is sent as %s', (typed, sent) => {
  expect(mailboxOf(new FormControl(typed, { nonNullable: true }))).toBe(sent);
});

test('An international domain is no fault, a name that is not ASCII is one', () => {
  const email = RegistrationCreate.properties.email;
  expect(mailbox(email, { initial: 'ann@bücher.example' }).valid).toBe(true);
  expect(mailbox(email, { initial: 'änn@example.org' }).valid).toBe(false);
});
