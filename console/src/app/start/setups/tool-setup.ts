import type { PlainKey } from '../../core/i18n/i18n';
import type { TalkProtocol } from '../../playground/dialects/dialect';
import type { MediaModels, ModelFamily } from './tool-models';

export const TOOL_IDS = [
  'curl',
  'openai-python',
  'openai-typescript',
  'ai-sdk',
  'langchain',
  'claude-code',
  'claude-code-bedrock',
  'claude-code-vertex',
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

/** A program that sends requests, and how it is pointed at the gateway. */
export interface Tool {
  readonly id: ToolId;
  readonly name: string;
  readonly protocol: TalkProtocol;
  /** The vendor whose models the tool is made for; absent if any model suits it. */
  readonly family?: ModelFamily;
  /** True if it sends background work to a second, cheaper model. */
  readonly usesSmallModel?: boolean;
  /** Settings of a program, or of one terminal until it is closed. */
  readonly parts: (values: SetupValues) => readonly SetupPart[];
  /** The same settings in files that the tool reads at each start. */
  readonly files?: (values: SetupValues) => readonly SetupPart[];
  /** Settings of images and sound, which the tool has apart. */
  readonly media?: (values: SetupValues) => readonly SetupPart[];
  readonly remark?: PlainKey;
}

export type Shell = 'posix' | 'powershell';

export interface SetupValues {
  /** The gateway's root, without a trailing slash. */
  readonly gatewayUrl: string;
  readonly key: string;
  readonly model: string;
  /** For background work; equal to `model` if there is no cheaper one. */
  readonly smallModel: string;
  /** The models behind the names `opus` and `sonnet` of Claude Code. */
  readonly opusModel: string;
  readonly sonnetModel: string;
  /** Models of images and sound. */
  readonly media: MediaModels;
  readonly shell: Shell;
}
