import ts from 'typescript';

/** The members of an interface: whether each may be absent, and its declaration as one line. */
export interface InterfaceShape {
  /** With its type parameters and what it extends, such as `Codec<Request extends Base>`. */
  readonly head: string;
  readonly members: ReadonlyMap<string, { readonly optional: boolean; readonly text: string }>;
}

/** The interfaces that a TypeScript text declares, by name. */
export function interfacesOf(text: string): ReadonlyMap<string, InterfaceShape> {
  const source = ts.createSourceFile('text.ts', text, ts.ScriptTarget.Latest, true);
  return new Map(
    source.statements
      .filter((statement) => ts.isInterfaceDeclaration(statement))
      .map((declaration) => [declaration.name.text, shapeOf(declaration)]),
  );
}

const printer = ts.createPrinter({ removeComments: true });

function oneLine(node: ts.Node): string {
  const text = printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile());
  return text.replaceAll(/\s+/g, ' ');
}

function shapeOf(declaration: ts.InterfaceDeclaration): InterfaceShape {
  const { name, typeParameters = [], heritageClauses = [] } = declaration;
  const parts = [...typeParameters, ...heritageClauses].map(oneLine);
  return {
    head: [name.text, ...parts].join(' '),
    members: new Map(
      declaration.members.map((member) => [
        member.name?.getText() ?? '',
        { optional: member.questionToken !== undefined, text: oneLine(member) },
      ]),
    ),
  };
}
