/** Converts `makePerson`, `MAKE_PERSON` and `make-person` to `MakePerson`. */
export const pascalCase = (name: string): string => {
  const isCamelCase = /^[a-z][A-Za-z0-9]*$/.test(name);
  const words = isCamelCase ? [name] : name.toLowerCase().split(/[_-]/);
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
};
