/** The ledger's log; a pino logger fits. */
export interface LedgerLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export const SILENT_LOG: LedgerLog = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
