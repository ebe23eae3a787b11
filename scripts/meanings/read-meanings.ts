import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { objectsWithin } from '@orchestrate/server/objects-within';
import * as shared from '@orchestrate/shared';
import { type Node, Project, type Type, ts } from 'ts-morph';
import { MEANINGS } from '../build-client.ts';

/** By export, then by the way to an object in it. */
type Meanings = Record<string, Record<string, Record<string, string>>>;

/**
 * What the fields of the contract mean: the comments on them, by the object that has them. A comment is found where its
 * field was written first, also through `.extend()` and `.partial()`, because types keep it.
 * @param root of the workspace
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
    for (const [way, object] of objectsWithin(Object(shared)[name])) {
      if (seen.has(object)) continue;
      seen.add(object);
      const shape = typeAt(symbol.getTypeAtLocation(source), `${way}.def.shape`, source);
      const fields = (shape?.getProperties() ?? []).flatMap((field) => {
        const comment = ts.displayPartsToString(field.compilerSymbol.getDocumentationComment(checker));
        return comment === '' ? [] : [[field.getName(), sentenceOf(comment)] as const];
      });
      if (fields.length > 0) meanings[name] = { ...meanings[name], [way]: Object.fromEntries(fields) };
    }
  }
  return meanings;
}

/** The type at the end of a way. */
function typeAt(type: Type, way: string, at: Node): Type | undefined {
  const names = way.split('.').filter((name) => name !== '');
  return names.reduce<Type | undefined>((found, name) => found?.getProperty(name)?.getTypeAtLocation(at), type);
}

/** In one line, without what only readers of the code can open. */
const sentenceOf = (comment: string): string =>
  comment
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ \((?:decision|spec|contract) [^)]+\)/g, '')
    .trim();

if (import.meta.main) {
  const root = join(import.meta.dirname, '../..');
  const file = join(root, MEANINGS);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(readMeanings(root)));
}
