import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** The types that a declaration file of a package declares. */
export class Declarations {
  readonly #types = new Map<string, ts.Node>();

  /** @param file of a package, by its path from `node_modules` */
  constructor(file: string) {
    const path = new URL(`../../../../node_modules/${file}`, import.meta.url);
    const source = ts.createSourceFile(
      file,
      readFileSync(path, 'utf8'),
      ts.ScriptTarget.Latest,
      true,
    );
    source.forEachChild((node) => {
      this.#add(node, '');
    });
  }

  has(type: string): boolean {
    return this.#types.has(type);
  }

  /** The declaration of a type. */
  textOf(type: string): string {
    return this.#types.get(type)?.getText() ?? '';
  }

  /**
   * Names of the members of a type, and of those that its union or list is made of. Types of other
   * files have none.
   */
  membersOf(type: string): ReadonlySet<string> {
    const found = this.#types.get(type);
    if (found === undefined) throw new Error(`${type} is not declared`);
    return this.#membersIn(found);
  }

  #add(node: ts.Node, prefix: string): void {
    if (ts.isModuleDeclaration(node)) {
      node.body?.forEachChild((inner) => {
        this.#add(inner, `${prefix}${node.name.text}.`);
      });
    } else if (
      (ts.isInterfaceDeclaration(node) ||
        ts.isTypeAliasDeclaration(node) ||
        ts.isClassDeclaration(node)) &&
      node.name !== undefined
    ) {
      this.#types.set(prefix + node.name.text, node);
    }
  }

  #membersIn(node: ts.Node): Set<string> {
    const members = new Set<string>();
    const addAll = (inner: ts.Node): void => {
      for (const name of this.#membersIn(inner)) members.add(name);
    };
    if (ts.isTypeAliasDeclaration(node)) addAll(node.type);
    else if (ts.isUnionTypeNode(node)) node.types.forEach(addAll);
    else if (ts.isTypeReferenceNode(node)) {
      const named = this.#types.get(node.typeName.getText());
      if (named !== undefined) addAll(named);
      node.typeArguments?.forEach(addAll);
    } else if (ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node)) {
      for (const { types } of node.heritageClauses ?? []) {
        for (const { expression } of types) {
          const base = this.#types.get(expression.getText());
          if (base !== undefined) addAll(base);
        }
      }
      for (const member of node.members) {
        const isMember = ts.isPropertySignature(member) || ts.isPropertyDeclaration(member);
        if (isMember && !ts.isComputedPropertyName(member.name)) members.add(member.name.text);
      }
    }
    return members;
  }
}
