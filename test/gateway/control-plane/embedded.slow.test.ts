import { testOnEmbedded } from './support/test-on-embedded.ts';

testOnEmbedded(4);
