export {
  HTML_REPLY,
  startFakeUpstream,
  type Behaviour,
  type FakeUpstream,
} from '../../../bench/fake-upstream/fake-upstream.ts';
