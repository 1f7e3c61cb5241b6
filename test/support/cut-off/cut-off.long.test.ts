import { it } from 'vitest';
import { cutOff } from './cut-off.ts';

it('a run that is killed leaves no process and no folder', () => cutOff('SIGKILL'));

it('a run that is interrupted leaves no process and no folder', () => cutOff('SIGINT'));
