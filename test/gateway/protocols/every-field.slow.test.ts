import { testEveryField } from './support/every-field/test-every-field.ts';

testEveryField(4);
