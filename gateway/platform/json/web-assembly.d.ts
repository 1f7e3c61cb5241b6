/** The part of WebAssembly that the gateway uses: TypeScript declares it for browsers only. */
declare namespace WebAssembly {
  interface Module {
    readonly [Symbol.toStringTag]: 'WebAssembly.Module';
  }
  const Module: new (program: Uint8Array) => Module;

  interface Memory {
    readonly buffer: ArrayBuffer;
  }
  const Memory: new (pages: { readonly initial: number; readonly maximum: number }) => Memory;

  interface Instance {
    readonly exports: unknown;
  }
  const Instance: new (
    module: Module,
    imports: Readonly<Record<string, Readonly<Record<string, Memory>>>>,
  ) => Instance;
}
