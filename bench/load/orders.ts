import type { HoldStreamsOrder, HoldStreamsResult } from './hold-streams.ts';
import type { OpenLoopOrder, OpenLoopResult } from './open-loop.ts';
import type { ReadStreamsOrder, ReadStreamsResult } from './read-streams.ts';
import type { SaturateOrder, SaturateResult } from './saturate.ts';
import type { SpeakOrder, SpeakResult } from './speak.ts';
import type { UploadOrder, UploadResult } from './upload.ts';

export interface LetGoOrder {
  readonly kind: 'let_go';
}

export type LoadOrder =
  | SaturateOrder
  | OpenLoopOrder
  | ReadStreamsOrder
  | HoldStreamsOrder
  | SpeakOrder
  | UploadOrder
  | LetGoOrder;

/** A driver's result for each order. */
export interface LoadResults {
  readonly saturate: SaturateResult;
  readonly open_loop: OpenLoopResult;
  readonly read_streams: ReadStreamsResult;
  readonly hold_streams: HoldStreamsResult;
  readonly speak: SpeakResult;
  readonly upload: UploadResult;
  readonly let_go: null;
}

export type DriverReply =
  | { readonly result: LoadResults[keyof LoadResults] }
  | { readonly failed: string };
