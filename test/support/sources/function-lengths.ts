import ts from 'typescript';
import type { SourceFile } from './source-files.ts';

export interface FunctionLength {
  /** `path:line`, to click on. */
  readonly place: string;
  /** Lines from the first to the last, without those that are empty or comments only. */
  readonly lines: number;
}

const NOT_CODE = /^\s*(\/\/|\/?\*|$)/;

function isFunction(node: ts.Node): boolean {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isFunctionExpression(node) ||
    ts.isArrowFunction(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isConstructorDeclaration(node) ||
    ts.isAccessor(node)
  );
}

/** The callback of `describe`, and `testFields()` and its like, register tests as a file does. */
function isChapter(node: ts.Node): boolean {
  if (ts.isFunctionDeclaration(node) && /^test[A-Z]/.test(node.name?.text ?? '')) return true;
  const { parent } = node;
  if (!ts.isCallExpression(parent)) return false;
  return /^describe\b/.test(parent.expression.getText());
}

/** The length of every function in a TypeScript file. */
export function functionLengths({ path, text }: SourceFile): FunctionLength[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: FunctionLength[] = [];
  const visit = (node: ts.Node): void => {
    if (isFunction(node) && !isChapter(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      const lines = node.getText().split('\n');
      found.push({
        place: `${path}:${String(line + 1)}`,
        lines: lines.filter((content) => !NOT_CODE.test(content)).length,
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
