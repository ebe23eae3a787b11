// For `require`, which cannot load modules everywhere: what to do is said here, where it is still CommonJS.
module.exports = (entry, load) => {
  if (entry !== 'orchestrate/contract' && typeof TextDecoder === 'undefined')
    throw new Error(`${entry} needs TextDecoder, which Jest's jsdom lacks: take jest-fixed-jsdom as testEnvironment.`);
  try {
    return load();
  } catch (reason) {
    if (reason.code !== 'ERR_REQUIRE_ESM') throw reason;
    const node = `before Node.js 24.9 also write \`await import('${entry}')\` for \`require\``;
    throw new Error(`${entry} is a module. Jest loads it with NODE_OPTIONS=--experimental-vm-modules; ${node}.`);
  }
};
