/** The paths on which protocols are served. */
import type { Refusal } from '../platform/errors/refusal.ts';
import type { RealtimeEndpoint } from './realtime.ts';
import type { SocketConversation } from './web-socket.ts';

/**
 * What an endpoint does: it decides which steps a request passes, which channels can serve it and
 * what is billed. `count` counts the tokens of a prompt. `compact` shortens a conversation to what
 * its vendor alone can read; few upstreams can do it. `list` and `show` describe the models that a
 * key may use. `stored` reads or changes what an upstream stores. `draw` and `edit` make images.
 * `moderate` judges text and images. `transcribe` and `translate` turn speech into text, in its own
 * language or in English, `speak` text into speech. `rerank` sorts texts by a query. `realtime` is
 * a session over WebSocket in which each reply is billed. `tool` is what a command-line tool asks
 * about its key. `count`, `list`, `show`, `stored` and `tool` cost nothing and are not billed.
 */
export type Operation =
  | 'generate'
  | 'embed'
  | 'draw'
  | 'edit'
  | 'moderate'
  | 'transcribe'
  | 'translate'
  | 'speak'
  | 'rerank'
  | 'realtime'
  | 'count'
  | 'compact'
  | 'list'
  | 'show'
  | 'stored'
  | 'tool';

/** The kinds of objects that an upstream stores under an id that says where it is. */
export type StoredKind = 'reply' | 'conversation';

interface EndpointPath {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /**
   * The path behind the base address, such as `chat/completions`. `{model}` is the model's ID,
   * which may have slashes; `{id}` and `{item}` are ids of what is stored.
   */
  readonly path: string;
  /** Absent: that of the protocol. */
  readonly basePath?: string;
}

/** A path under which a cloud resells a vendor's models. */
export interface CloudPath {
  readonly name: 'bedrock' | 'vertex' | 'messages';
  /** True if the path asks for a stream, false if it does not; absent where the body decides. */
  readonly streams?: boolean;
  /** The prefix that clients put before the endpoint's path, such as `/v1`; '' for none. */
  readonly basePath: string;
}

/** An endpoint whose request names a model and has a body. */
export interface ModelEndpoint extends EndpointPath {
  readonly operation: Exclude<Operation, 'list' | 'show' | 'stored' | 'tool'>;
  /** Absent of the vendor's own paths. Lists and messages name those alone. */
  readonly cloud?: CloudPath;
  /** Clients declare the JSON body as something else, or not at all. */
  readonly takesAnyContentType?: true;
  /** Its body is a form with files, or may be one; absent: it is JSON. */
  readonly takesForm?: 'alone' | 'or JSON';
  /** What is created there, for the message about a wrong method, such as "Chat completions". */
  readonly creates: string;
  /** For a client that asks for a list of them, as vendors have. */
  readonly unlisted?: string;
  /**
   * Refuses a model that no upstream can serve there; absent: the message names the paths at which
   * the model is served.
   */
  readonly unserved?: Refusal;
  /** Begins to serve a WebSocket on the endpoint's path; absent: the path has none. */
  readonly converse?: () => SocketConversation;
  /** The sessions of a `realtime` endpoint; absent of others. */
  readonly sessions?: RealtimeEndpoint;
}

/** An endpoint that describes models; several protocols may have it at one path. */
export interface ListEndpoint extends EndpointPath {
  readonly operation: 'list' | 'show';
}

/** An endpoint for what an upstream stores. Without an `{id}` in its path it makes something. */
export interface StoredEndpoint extends EndpointPath {
  readonly operation: 'stored';
  readonly kind: StoredKind;
  /** The client sends a body, which may be empty. */
  readonly takesBody?: true;
}

/** An endpoint for a command-line tool that is logged in; it asks no model. */
export interface ToolEndpoint extends EndpointPath {
  readonly operation: 'tool';
  /** Absent where the path is behind the base address; '' where it is the whole path. */
  readonly basePath?: '';
  readonly serves: 'settings' | 'spend' | 'telemetry';
}

export type Endpoint = ModelEndpoint | ListEndpoint | StoredEndpoint | ToolEndpoint;

/** The endpoints of a protocol that shows models in a shape of its own. */
export const MODEL_LISTS: readonly ListEndpoint[] = [
  { method: 'GET', path: 'models', operation: 'list' },
  { method: 'GET', path: 'models/{model}', operation: 'show' },
];
