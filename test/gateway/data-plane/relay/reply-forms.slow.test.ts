import { testReplyForms } from './support/test-reply-forms.ts';

testReplyForms(3);
