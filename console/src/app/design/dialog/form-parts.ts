import { Choice } from '../field/choice';
import { Field } from '../field/field';
import { Switch } from '../field/switch';
import { TextArea } from '../field/text-area';
import { FormDialog } from './form-dialog';

/** What a dialog with a form is made of. The compiler leaves out what a template does not use. */
export const FORM_DIALOG = [Choice, Field, FormDialog, Switch, TextArea] as const;
