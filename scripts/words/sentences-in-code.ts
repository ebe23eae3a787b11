import { join } from 'node:path';
import { Node, Project } from 'ts-morph';

/** A sentence for people, as it is written in the code. */
export interface Sentence {
  /** With `{}` for what the code fills in. */
  text: string;
  /** The file and the line. */
  at: string;
}

/** Where a text is said to people, and not to programs or to the log. */
const PROPERTIES = new Set(['message', 'sentence', 'verdict']);
/** Of a constant of this name, a text is said to people too; elsewhere it describes the code. */
const CONSTANTS = new Set([...PROPERTIES, 'summary']);
const CALLS = new Set([
  ...['refused', 'refuse', 'taken', 'regex', 'refine', 'min', 'max', 'tooManyTries'],
  ...['complain', 'unknown', 'nothing', 'never', 'check', 'unreadable'],
]);
/** Of the protocols, what the tries of applications and the token desk find. */
const FINDINGS = ['*/check-*.ts', '*/finish-try.ts', 'scim/client/{try-service,sentences}.ts'];
const ERRORS = new Set(['OutsideRefused', 'MetadataUnreadable']);

/**
 * The sentences that the server and the contract say of what they refuse, what has happened and what a try has found.
 * Those that are put together elsewhere, and those of protocols, which programs read, are not among them. One that goes
 * on only sometimes is there in each form.
 * @param root of the workspace
 */
export function sentencesInCode(root: string): Sentence[] {
  const project = new Project({ skipAddingFilesFromTsConfig: true });
  const strata = ['features', 'lab', 'core', 'platform'].map((stratum) => `server/src/${stratum}`);
  project.addSourceFilesAtPaths([
    ...[...strata, 'shared/src'].map((folder) => join(root, folder, '**/*.ts')),
    ...FINDINGS.map((files) => join(root, 'server/src/protocols', files)),
    `!${join(root, '**/*.test.ts')}`,
  ]);
  return project.getSourceFiles().flatMap((file) =>
    file.getDescendants().flatMap((node) => {
      if (!isSaid(node)) return [];
      const at = `${file.getFilePath().slice(root.length + 1)}:${node.getStartLineNumber()}`;
      return textsOf(node).flatMap((text) => (/^[A-Za-z{].* /.test(text) ? { text, at } : []));
    }),
  );
}

/** Each form that a text can take; empty for anything else. */
function textsOf(node: Node | undefined): string[] {
  if (Node.isStringLiteral(node) || Node.isNoSubstitutionTemplateLiteral(node)) return [node.getLiteralText()];
  if (!Node.isTemplateExpression(node)) return [];
  return node.getTemplateSpans().reduce(
    (texts, span) => {
      const parts = partsOf(span.getExpression()).map((part) => part + span.getLiteral().getLiteralText());
      return texts.flatMap((text) => parts.map((part) => text + part));
    },
    [node.getHead().getLiteralText()],
  );
}

/** What can stand at a place of a template: texts, if it is one of two, else `{}`. */
function partsOf(expression: Node): string[] {
  const chosen = Node.isIdentifier(expression) ? initializerOf(expression) : expression;
  if (!Node.isConditionalExpression(chosen)) return ['{}'];
  const branches = [chosen.getWhenTrue(), chosen.getWhenFalse()].map(textsOf);
  return branches.some((texts) => texts.length === 0) ? ['{}'] : branches.flat();
}

/** Of a constant that is declared in the same block, or in one around it. */
function initializerOf(name: Node): Node | undefined {
  for (const around of name.getAncestors()) {
    if (!Node.isStatemented(around)) continue;
    const declaration = around.getVariableDeclaration(name.getText());
    if (declaration) return declaration.getInitializer();
  }
  return undefined;
}

function isSaid(node: Node): boolean {
  let around = node.getParent();
  while (Node.isConditionalExpression(around) || Node.isParenthesizedExpression(around)) around = around.getParent();
  if (Node.isPropertyAssignment(around)) return PROPERTIES.has(around.getName());
  if (Node.isVariableDeclaration(around)) return CONSTANTS.has(around.getName());
  if (Node.isCallExpression(around)) return CALLS.has(around.getExpression().getText().split('.').at(-1) ?? '');
  return Node.isNewExpression(around) && ERRORS.has(around.getExpression().getText());
}
