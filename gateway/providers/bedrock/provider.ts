import { EVENT_STREAM_TYPE } from '../../platform/event-stream/frame.ts';
import { EXCEPTION_TYPE_MEMBER } from '../../platform/event-stream/frame-to-sse.ts';
import { isJsonObject, type JsonObject } from '../../platform/json/json-value.ts';
import type { UpstreamProtocolId } from '../../protocols/protocol.ts';
import { modelNames } from '../model-names.ts';
import { PATHS } from '../openai-compatible/provider.ts';
import { awsMinting } from '../aws-credentials/minting.ts';
import type { Provider } from '../provider.ts';
import { classifyError, classifyReply } from './classify-error.ts';
import { isKeyRefused } from './error-types.ts';
import { readAccessKey, type AccessKey } from './credential.ts';
import {
  controlPlaneOf,
  readAddress,
  regionOf,
  serviceOf,
  versionOf,
  type BedrockInterface,
} from './interfaces.ts';
import { INVOKE_MODEL } from './invoke-model.ts';
import { escapeComponent, signRequest } from './sign-request.ts';

const MESSAGES = ['anthropic-messages'] as const;
const CONVERSE = ['bedrock-converse'] as const;
const OPENAI = ['openai-chat', 'openai-responses'] as const;

/** Ids of Claude, with a region and a maker in front or without, and ARNs that have one. */
const CLAUDE = /claude/i;
/** An inference profile of the operator's own; its name is chosen by AWS and says nothing. */
const OPAQUE_ARN =
  /^arn:[^/]*:(?:application-inference-profile|provisioned-model|custom-model-deployment|imported-model|prompt-router|default-prompt-router)\//;

/**
 * Amazon Bedrock. The base address says which of its interfaces a channel uses; see
 * `BedrockInterface`. A credential is an API key of Bedrock, or an access key with which each
 * request is signed.
 */
export const bedrock: Provider = {
  speaks: [...MESSAGES, ...CONVERSE, ...OPENAI],
  speaksTo: (model, baseUrl) => spokenAt(readAddress(baseUrl).api, model),
  isOpaqueName: (upstreamModel) => OPAQUE_ARN.test(upstreamModel),
  path: (protocol, _operation, upstreamModel, baseUrl) =>
    pathOf(protocol, { upstreamModel, baseUrl, stream: false }),
  streamPath: (protocol, upstreamModel, baseUrl) =>
    pathOf(protocol, { upstreamModel, baseUrl, stream: true }),
  countPath: (protocol, upstreamModel, baseUrl) => {
    const isCounted = protocol === 'anthropic-messages' && readAddress(baseUrl).api !== 'runtime';
    return isCounted
      ? `${pathOf(protocol, { upstreamModel, baseUrl, stream: false })}/count_tokens`
      : undefined;
  },
  envelope: (protocol, baseUrl) =>
    protocol === 'anthropic-messages' && readAddress(baseUrl).api === 'runtime'
      ? INVOKE_MODEL
      : undefined,
  streamType: (baseUrl) => (readAddress(baseUrl).api === 'runtime' ? EVENT_STREAM_TYPE : undefined),
  minting: awsMinting,
  refusesSecret: isKeyRefused,
  credentialHeaders: (credential) => ['authorization', `Bearer ${credential}`],
  sign: (credential, request) => {
    const key = accessKeyOf(credential);
    if (key === undefined) return undefined;
    const { host } = request;
    const region = key.region ?? regionOf(host);
    return signRequest(request, key, { region, service: serviceOf(host), nowMs: Date.now() });
  },
  models: {
    baseUrl: (baseUrl) => (listsProfiles(baseUrl) ? controlPlaneOf(baseUrl) : baseUrl),
    path: (baseUrl) => {
      if (listsProfiles(baseUrl)) return '/inference-profiles?type=SYSTEM_DEFINED&maxResults=1000';
      return `${versionOf(readAddress(baseUrl))}/models`;
    },
    names: (reply) => profileIds(reply) ?? modelNames(reply),
  },
  findFailure: (reply) => (typeof reply[EXCEPTION_TYPE_MEMBER] === 'string' ? reply : undefined),
  classifyError,
  classifyReply,
};

function spokenAt(api: BedrockInterface, model: string): readonly UpstreamProtocolId[] {
  switch (api) {
    case 'messages':
      return MESSAGES;
    case 'openai':
      return OPENAI;
    case 'mantle':
      return CLAUDE.test(model) ? MESSAGES : OPENAI;
    case 'runtime':
      return CLAUDE.test(model) ? MESSAGES : CONVERSE;
  }
}

interface Operations {
  readonly whole: string;
  readonly streamed: string;
}

/** The operations of the runtime, by what they are spoken to in. */
const RUNTIME_OPERATIONS: Readonly<Partial<Record<UpstreamProtocolId, Operations>>> = {
  'anthropic-messages': { whole: 'invoke', streamed: 'invoke-with-response-stream' },
  'bedrock-converse': { whole: 'converse', streamed: 'converse-stream' },
};
const NO_OPERATION: Operations = { whole: '', streamed: '' };

interface Asked {
  readonly upstreamModel: string;
  readonly baseUrl: string;
  readonly stream: boolean;
}

function pathOf(protocol: UpstreamProtocolId, { upstreamModel, baseUrl, stream }: Asked): string {
  const address = readAddress(baseUrl);
  switch (address.api) {
    case 'runtime': {
      const { whole, streamed } = RUNTIME_OPERATIONS[protocol] ?? NO_OPERATION;
      return `/model/${escapeComponent(upstreamModel)}/${stream ? streamed : whole}`;
    }
    case 'messages':
      return `${versionOf(address)}/messages`;
    case 'openai':
      return versionOf(address) + openaiPath(protocol);
    case 'mantle':
      return protocol === 'anthropic-messages'
        ? '/anthropic/v1/messages'
        : `/v1${openaiPath(protocol)}`;
  }
}

function openaiPath(protocol: UpstreamProtocolId): string {
  const path = PATHS[protocol];
  if (path === undefined) throw new Error(`Bedrock has no ${protocol} here`);
  return path;
}

/** Mantle and OpenAI's paths have a list of models of their own. */
function listsProfiles(baseUrl: string): boolean {
  const { api, host } = readAddress(baseUrl);
  return api === 'runtime' || (api === 'messages' && serviceOf(host) === 'bedrock');
}

/** The ids in `{inferenceProfileSummaries: [{inferenceProfileId}]}`; undefined of other replies. */
function profileIds(reply: unknown): readonly string[] | undefined {
  const list = isJsonObject(reply) ? reply['inferenceProfileSummaries'] : undefined;
  if (!Array.isArray(list)) return undefined;
  return list
    .filter((item): item is JsonObject => isJsonObject(item))
    .map(({ inferenceProfileId: id }) => id)
    .filter((id) => typeof id === 'string');
}

/** What a credential's text says, for as long as its channel lives. */
const accessKeys = new Map<string, AccessKey | undefined>();
/** Temporary credentials come and go. */
const ACCESS_KEYS_MAX = 1_000;

function accessKeyOf(credential: string): AccessKey | undefined {
  if (accessKeys.has(credential)) return accessKeys.get(credential);
  if (accessKeys.size >= ACCESS_KEYS_MAX) accessKeys.clear();
  const key = readAccessKey(credential);
  accessKeys.set(credential, key);
  return key;
}
