export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

const TOKENS_MAX = 2_147_483_647;

/** A limit of tokens as the API takes it; null for what is none. */
export function tokensOf(value: unknown): number | null {
  const tokens = typeof value === 'number' ? Math.floor(value) : 0;
  return tokens >= 1 && tokens <= TOKENS_MAX ? tokens : null;
}

/** Reports whether a value is a charge: 0 and null are none. */
export function isCharge(value: unknown): boolean {
  if (typeof value === 'number') return value !== 0;
  if (typeof value === 'string') return value.trim() !== '' && Number(value) !== 0;
  return typeof value === 'object' && value !== null && Object.values(value).some(isCharge);
}
