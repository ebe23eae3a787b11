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
const PROPERTIES = new Set(['message']);
const CALLS = new Set(['refused', 'refuse', 'taken', 'regex', 'refine', 'tooManyTries']);
const ERRORS = new Set(['OutsideRefused', 'MetadataUnreadable']);

/**
 * The sentences that the server and the contract say of what they refuse. Those that are put together elsewhere, and
 * those of the lab and of protocols, which programs read, are not among them.
 * @param root of the workspace
 */
export function sentencesInCode(root: string): Sentence[] {
  const project = new Project({ skipAddingFilesFromTsConfig: true });
  const folders = ['server/src/features', 'server/src/core', 'server/src/platform', 'shared/src/contract'];
  project.addSourceFilesAtPaths([
    ...folders.map((folder) => join(root, folder, '**/*.ts')),
    `!${join(root, '**/*.test.ts')}`,
    `!${join(root, 'shared/src/contract/lab*.ts')}`,
  ]);
  return project.getSourceFiles().flatMap((file) =>
    file.getDescendants().flatMap((node) => {
      const text = textOf(node);
      if (text === undefined || !/^[A-Z{].* /.test(text) || !isSaid(node)) return [];
      return [{ text, at: `${file.getFilePath().slice(root.length + 1)}:${node.getStartLineNumber()}` }];
    }),
  );
}

function textOf(node: Node): string | undefined {
  if (Node.isStringLiteral(node) || Node.isNoSubstitutionTemplateLiteral(node)) return node.getLiteralText();
  if (!Node.isTemplateExpression(node)) return undefined;
  const rest = node.getTemplateSpans().map((span) => `{}${span.getLiteral().getLiteralText()}`);
  return node.getHead().getLiteralText() + rest.join('');
}

function isSaid(node: Node): boolean {
  let around = node.getParent();
  while (Node.isConditionalExpression(around) || Node.isParenthesizedExpression(around)) around = around.getParent();
  if (Node.isPropertyAssignment(around)) return PROPERTIES.has(around.getName());
  if (Node.isVariableDeclaration(around)) return PROPERTIES.has(around.getName());
  if (Node.isCallExpression(around)) return CALLS.has(around.getExpression().getText().split('.').at(-1) ?? '');
  return Node.isNewExpression(around) && ERRORS.has(around.getExpression().getText());
}
