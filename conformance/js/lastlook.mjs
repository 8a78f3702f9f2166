// A second implementation of Lastlook's formats, written beside the specification's pages, which
// speaks the line protocol: lastlook conformance -- node conformance/js/lastlook.mjs
// Node 18 has no String.prototype.isWellFormed; the rest is there. Nothing else is needed.

import { createInterface } from "node:readline";

import { capture, chain, headOfHeads, key, seal } from "./evidence.mjs";
import { parseField, printField } from "./fields.mjs";
import { encode, readStrictly, readTyped, typedOfPlain, Refusal } from "./typed.mjs";

String.prototype.isWellFormed ??= function isWellFormed() {
  return !/[\ud800-\udfff]/u.test(this);
};

const OPERATIONS = {
  json: ({ text, strict }) => ({ bytes: encode(typedOfPlain(readStrictly(text), strict)) }),
  typed: ({ text }) => ({ bytes: encode(readTyped(text)) }),
  field: ({ text }) => {
    const field = parseField(text);
    const { selector, optional, secret } = field;
    return { selector, rule: encode(field.rule), optional, secret, printed: printField(field) };
  },
  capture,
  seal: ({ body }) => ({ seal: seal(body) }),
  key: (request) => ({ key: key(request) }),
  chain,
  heads: ({ heads }) => ({ head: headOfHeads(heads) }),
};

function answer(request) {
  if (!Object.hasOwn(OPERATIONS, request.op)) return { unsupported: request.op };
  try {
    return OPERATIONS[request.op](request);
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.word };
    throw error;
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  process.stdout.write(JSON.stringify({ id: request.id, ...answer(request) }) + "\n");
}
