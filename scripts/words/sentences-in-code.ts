import { join } from 'node:path';
import { Node, Project } from 'ts-morph';

/** A user-facing sentence in the source code. */
export interface Sentence {
  /** The sentence, with `{}` for placeholders. */
  text: string;
  /** Location of the sentence, as `file:line`. */
  at: string;
}

/** Properties whose strings are shown to users, not only to programs or in the log. */
const PROPERTIES = new Set(['message', 'sentence', 'verdict']);
/**
 * Constants whose strings are shown to users. `summary` only counts as a constant, because the property of that name
 * describes an endpoint.
 */
const CONSTANTS = new Set([...PROPERTIES, 'summary']);
const CALLS = new Set([
  'refused',
  'refuse',
  'refuseField',
  'taken',
  'regex',
  'refine',
  'min',
  'max',
  'tooManyTries',
  'complain',
  'unknown',
  'nothing',
  'never',
  'check',
  'unreadable',
  // Sentences of pages without the client.
  't',
]);
/** Protocol files whose sentences are shown to users: test sign-ins, the token inspector and pages. */
const FINDINGS = [
  '*/check-*.ts',
  '*/test-sign-in.ts',
  'scim/client/{ask-service,sentences}.ts',
  'oidc/{http/pages,device-flow/device-pages}.ts',
  'saml/{pages,sign-in}.ts',
];
const ERRORS = new Set(['OutsideRefused', 'MetadataUnreadable']);

/**
 * Finds the user-facing sentences in the server and the contract: errors, events and findings. Doesn't find sentences
 * concatenated in other files, or protocol error messages, which are for programs. A sentence with an optional part
 * is returned both with and without it.
 * @param root path of the workspace
 */
export function findSentences(root: string): Sentence[] {
  const project = new Project({ skipAddingFilesFromTsConfig: true });
  const strata = ['features', 'lab', 'core', 'platform'].map((stratum) => `server/src/${stratum}`);
  project.addSourceFilesAtPaths([
    ...[...strata, 'shared/src'].map((folder) => join(root, folder, '**/*.ts')),
    ...FINDINGS.map((files) => join(root, 'server/src/protocols', files)),
    `!${join(root, '**/*.test.ts')}`,
  ]);
  return project.getSourceFiles().flatMap((file) =>
    file.getDescendants().flatMap((node) => {
      if (!isUserFacing(node)) return [];
      const at = `${file.getFilePath().slice(root.length + 1)}:${node.getStartLineNumber()}`;
      return textsOf(node).flatMap((text) => (/^[A-Za-z{].* /.test(text) ? { text, at } : []));
    }),
  );
}

/** Returns each string that an expression can evaluate to. Empty for other nodes. */
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

/** Returns a placeholder's possible values: both branches of a conditional, otherwise `{}`. */
function partsOf(expression: Node): string[] {
  const chosen = Node.isIdentifier(expression) ? initializerOf(expression) : expression;
  if (!Node.isConditionalExpression(chosen)) return ['{}'];
  const branches = [chosen.getWhenTrue(), chosen.getWhenFalse()].map(textsOf);
  return branches.some((texts) => texts.length === 0) ? ['{}'] : branches.flat();
}

/** Returns the initialiser of a constant declared in the same block or an enclosing block. */
function initializerOf(name: Node): Node | undefined {
  for (const around of name.getAncestors()) {
    if (!Node.isStatemented(around)) continue;
    const declaration = around.getVariableDeclaration(name.getText());
    if (declaration) return declaration.getInitializer();
  }
  return undefined;
}

function isUserFacing(node: Node): boolean {
  let around = node.getParent();
  while (Node.isConditionalExpression(around) || Node.isParenthesizedExpression(around)) around = around.getParent();
  if (Node.isPropertyAssignment(around)) return PROPERTIES.has(around.getName());
  if (Node.isVariableDeclaration(around)) return CONSTANTS.has(around.getName());
  if (Node.isCallExpression(around)) return CALLS.has(around.getExpression().getText().split('.').at(-1) ?? '');
  return Node.isNewExpression(around) && ERRORS.has(around.getExpression().getText());
}
