export {
  HTML_REPLY,
  startFakeUpstream,
  type Behaviour,
  type FakeUpstream,
  type RecordedRequest,
} from '../../bench/fake-upstream/fake-upstream.ts';
