import type { PlainKey } from '../core/i18n/i18n';

/** What a tool speaks. */
export type Protocol = 'chat_completions' | 'messages' | 'responses' | 'gemini';

export const TOOL_IDS = [
  'curl',
  'openai-python',
  'openai-typescript',
  'ai-sdk',
  'langchain',
  'claude-code',
  'gemini-cli',
  'codex',
  'qwen-code',
  'cherry-studio',
  'nextchat',
  'opencode',
  'cline',
  'continue',
  'aider',
  'open-webui',
  'lobechat',
] as const;
export type ToolId = (typeof TOOL_IDS)[number];

export type SetupPart =
  /** Something to run or to put in a file; `label` is a file's name or what it is. */
  | {
      readonly kind: 'code';
      readonly label: PlainKey | { readonly file: string };
      readonly code: string;
    }
  /** A box in the tool's settings, by the name it has there. */
  | { readonly kind: 'box'; readonly name: string; readonly value: string };

export interface ToolSetup {
  readonly id: ToolId;
  readonly name: string;
  readonly protocol: Protocol;
  readonly parts: readonly SetupPart[];
  readonly remark?: PlainKey;
}

export interface SetupValues {
  /** The gateway's root, without a trailing slash. */
  readonly gatewayUrl: string;
  readonly key: string;
  readonly model: string;
}

/** A word in single quotes for a POSIX shell. */
export function quoted(text: string): string {
  return `'${text.replace(/'/g, `'\\''`)}'`;
}
