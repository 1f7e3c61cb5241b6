import { Choice } from '../field/choice';
import { Field } from '../field/field';
import { Switch } from '../field/switch';
import { TextArea } from '../field/text-area';
import { FormDialog } from './form-dialog';

/** The parts of a dialog with a form. The compiler leaves out what a template does not use. */
export const FORM_DIALOG = [Choice, Field, FormDialog, Switch, TextArea] as const;
