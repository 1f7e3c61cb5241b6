import ts from 'typescript';
import type { SourceFile } from './source-files.ts';

export interface LongFunction {
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
function isChapter(node: ts.Node, parent: ts.Node, source: ts.SourceFile): boolean {
  if (ts.isFunctionDeclaration(node) && /^test[A-Z]/.test(node.name?.text ?? '')) return true;
  if (!ts.isCallExpression(parent)) return false;
  return /^describe\b/.test(parent.expression.getText(source));
}

/** Returns the functions of a TypeScript file that have more than `max` lines. */
export function longFunctions({ path, text }: SourceFile, max: number): LongFunction[] {
  // Links from nodes to their parents would take as long as the parsing.
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false);
  const lineAt = (place: number): number => source.getLineAndCharacterOfPosition(place).line;
  const found: LongFunction[] = [];
  const visit = (node: ts.Node, parent: ts.Node): void => {
    // What lies within few lines has no long function in it.
    if (lineAt(node.end) - lineAt(node.pos) < max) return;
    if (isFunction(node) && !isChapter(node, parent, source)) {
      const code = node.getText(source).split('\n');
      const lines = code.filter((content) => !NOT_CODE.test(content)).length;
      const place = `${path}:${String(lineAt(node.getStart(source)) + 1)}`;
      if (lines > max) found.push({ place, lines });
    }
    ts.forEachChild(node, (child) => visit(child, node));
  };
  visit(source, source);
  return found;
}
