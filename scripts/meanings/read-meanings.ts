import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { objectSchemasIn } from '@orchestrate/server/objects-within';
import * as shared from '@orchestrate/shared';
import { type Node, Project, type Type, ts } from 'ts-morph';
import { MEANINGS_FILE } from '../build.ts';

/** Descriptions by export, path to an object within the export, and field. */
type Meanings = Record<string, Record<string, Record<string, string>>>;

/**
 * Reads descriptions of the contract's fields from the comments on their declarations. Also works through `.extend()`
 * and `.partial()`, where types still refer to the original declaration.
 * @param root workspace path
 */
export function readMeanings(root: string): Meanings {
  const folder = join(root, 'shared');
  const project = new Project({ tsConfigFilePath: join(folder, 'tsconfig.json') });
  const source = project.getSourceFileOrThrow(join(folder, 'src/index.ts'));
  const checker = project.getTypeChecker().compilerObject;
  const seen = new Set<object>();
  const meanings: Meanings = {};
  for (const symbol of source.getExportSymbols()) {
    const name = symbol.getName();
    for (const [path, object] of objectSchemasIn(Object(shared)[name])) {
      if (seen.has(object)) continue;
      seen.add(object);
      const shape = typeAt(symbol.getTypeAtLocation(source), `${path}.def.shape`, source);
      const fields = (shape?.getProperties() ?? []).flatMap((field) => {
        const comment = ts.displayPartsToString(field.compilerSymbol.getDocumentationComment(checker));
        return comment === '' ? [] : [[field.getName(), sentenceOf(comment)] as const];
      });
      if (fields.length > 0) meanings[name] = { ...meanings[name], [path]: Object.fromEntries(fields) };
    }
  }
  return meanings;
}

/** Returns the type at a path. */
function typeAt(type: Type, path: string, at: Node): Type | undefined {
  const names = path.split('.').filter((name) => name !== '');
  return names.reduce<Type | undefined>((found, name) => found?.getProperty(name)?.getTypeAtLocation(at), type);
}

/** Joins a comment into a single line and drops links that work only in the repository. */
const sentenceOf = (comment: string): string =>
  comment
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ \((?:decision|spec|contract) [^)]+\)/g, '')
    .trim();

if (import.meta.main) {
  const root = join(import.meta.dirname, '../..');
  const file = join(root, MEANINGS_FILE);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(readMeanings(root)));
}
