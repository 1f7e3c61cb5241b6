import type { SetupPart, SetupValues } from './tool-setup';

/** Settings that are typed into boxes: the address, the key without "Bearer ", the model. */
export function boxes(
  names: { readonly address: string; readonly key: string; readonly model: string },
  { address, values }: { readonly address: string; readonly values: SetupValues },
): readonly SetupPart[] {
  return [
    { kind: 'box', name: names.address, value: address },
    { kind: 'box', name: names.key, value: values.key },
    { kind: 'box', name: names.model, value: values.model },
  ];
}
