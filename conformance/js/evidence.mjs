// Cells and fingerprints, the seal, the key, and the journal's chain.

import { createHash, createHmac } from "node:crypto";

import { formC, momentOf, parseField } from "./fields.mjs";
import { ABSENT, inOrder, select, typedOf, valueOf } from "./jsonpath.mjs";
import {
  byBytes,
  compareRatios,
  encode,
  ratio,
  readTyped,
  refuse,
  sortedByBytes,
} from "./typed.mjs";

const sha256 = (...parts) => {
  const hash = createHash("sha256");
  parts.forEach((part) => hash.update(part));
  return hash.digest("hex");
};

export function capture(request) {
  const fields = request.fields.map(parseField);
  fields.sort((a, b) => byBytes(a.selector, b.selector));
  const selectors = new Set(fields.map((field) => field.selector));
  if (selectors.size < fields.length) refuse("field");
  const { kind, ref } = request;
  const salts = request.salts ?? {};
  if (kind === "absence") {
    if (fields.length) refuse("declaration");
    return printed(kind, ref, null, [], []);
  }
  if (kind === "record") {
    if (!fields.length) refuse("field");
    const cells = cellsOf(valueOf(readTyped(request.record)), fields, ref, salts);
    return printed(kind, ref, null, cells, cells);
  }
  const members = new Map();
  for (const [key, record] of valueOf(readTyped(request.members))) {
    if (typeof key !== "string" || members.has(key)) refuse("value");
    members.set(key, record);
    if (members.size > request.cap) refuse("too_many");
  }
  const keys = [...members.keys()].sort(byBytes);
  const rows = keys.map((key) => [key, cellsOf(members.get(key), fields, ref, salts)]);
  return printed(kind, ref, readTyped(request.params), rows, []);
}

function printed(kind, ref, params, rows, fields) {
  const digest = (tag, cells) => "ll1:" + sha256(tag, encode([kind, ref, params, cells]));
  return {
    fingerprint: digest("lastlook:ll1\n", rows),
    digests: fields.map((cell) => digest("lastlook:ll1/field\n", [cell])),
    cells: encode(rows),
  };
}

function cellsOf(record, fields, ref, salts) {
  const plain = fields.map((field) => [field, cellOf(record, field)]);
  return plain.map(([field, cell]) => {
    if (!field.secret) return [field.selector, field.rule, cell];
    const salt = Buffer.from(salts[`${ref}#${field.selector}`] ?? "", "hex");
    if (salt.length !== 32) refuse("declaration");
    const hidden = createHmac("sha256", salt).update(encode(cell)).digest("hex");
    return [field.selector, field.rule, ["secret", hidden]];
  });
}

function cellOf(record, field) {
  const found = select(field, record);
  if (found === ABSENT) {
    if (!field.optional) refuse("absent");
    if (!field.rule.has("absent_is_null")) return ["absent"];
    demand(field.rule, null);
    return ["value", null];
  }
  if (!field.many) {
    const value = normal(found, field.rule, field.rule.has("unordered"));
    demand(field.rule, value);
    return ["value", value];
  }
  const pairs = pairsOf(found, field.rule);
  pairs.forEach((pair) => demand(field.rule, pair[1]));
  return ["value", field.rule.has("unordered") ? sortedByBytes(pairs) : pairs];
}

function pairsOf(matches, rule) {
  let rows = matches.map((match) => ({ ...match, value: normal(match.value, rule, false) }));
  if (rule.has("nfc")) {
    rows = rows.map((row) => ({ ...row, path: formC(row.path) }));
    const places = new Set(rows.map(({ path, indices }) => JSON.stringify([path, indices])));
    if (places.size < rows.length) refuse("value");
    rows = inOrder(rows);
  }
  return rows.map(({ path, value }) => [path, value]);
}

function normal(found, rule, isUnordered) {
  let value = typedOf(found, rule.has("strict"));
  if (rule.has("nfc")) value = formC(value);
  if (rule.has("instant")) return momentOf(value) ?? refuse("declaration");
  if (!isUnordered) return value;
  return Array.isArray(value) ? sortedByBytes(value) : refuse("declaration");
}

// A condition has to hold when evidence is captured.
function demand(rule, value) {
  const number = ratio(value);
  const side = (limit) => (number === null ? null : compareRatios(number, ratio(limit)));
  const among = (values) => values.some((each) => encode(each) === encode(value));
  if (rule.has("equals") && !among([rule.get("equals")])) refuse("condition");
  if (rule.has("one_of") && !among(rule.get("one_of"))) refuse("condition");
  if (rule.has("at_least") && !(number && side(rule.get("at_least")) >= 0)) refuse("condition");
  if (rule.has("at_most") && !(number && side(rule.get("at_most")) <= 0)) refuse("condition");
  if (!rule.has("within")) return;
  if (number === null) refuse("declaration");
  if (rule.get("within") instanceof Map && rule.get("within").has("percent") && number[0] === 0n) {
    refuse("declaration");
  }
}

export const seal = (body) => "sha256:" + sha256("lastlook:seal/1\n", body);

export const key = ({ root, step, tool, arguments: given }) =>
  sha256("lastlook:key/1\n", encode([root, step, tool, readTyped(given)]));

const BLOCKS = ["blocked_stale", "blocked_unresolvable", "blocked_tampered"];
const NEXT = {
  pending: ["confirmed", "rejected", "cancelled", "expired", "blocked_stale", "blocked_tampered"],
  confirmed: ["claimed", "cancelled", "expired"],
  claimed: ["confirmed", "executing", "cancelled", "expired", ...BLOCKS],
  executing: ["executing", "blocked_stale", "executed", "failed", "partial", "compensated", "unknown"],
  parked: ["cancelled", "expired"],
  unknown: ["resolved"],
};

export function chain(request) {
  const rows = readTyped(request.rows);
  const digests = rows.map((row) => rowDigest(row, request.keys));
  const wrong = rows
    .filter((row, place) => !follows(row, rows[place - 1], digests, place))
    .map((row) => row.get("row"));
  const last = rows.at(-1).get("row");
  if (request.count !== last || request.head !== digests.at(-1)) wrong.push(last);
  return { digests, wrong: wrong.length ? Math.min(...wrong) : 0 };
}

function rowDigest(row, keys) {
  const id = row.get("key_id");
  const text = "lastlook:journal/1\n" + encode(row);
  if (id === null) return sha256(text);
  if (keys[id] === undefined) return null;
  return createHmac("sha256", Buffer.from(keys[id], "hex")).update(text).digest("hex");
}

function follows(row, before, digests, place) {
  if (digests[place] === null) return false;
  if (before === undefined) {
    return row.get("row") === 1 && row.get("prev") === "" && row.get("was") === null;
  }
  return (
    row.get("row") === before.get("row") + 1 &&
    row.get("prev") === digests[place - 1] &&
    row.get("was") === before.get("state") &&
    (NEXT[row.get("was")] ?? []).includes(row.get("state"))
  );
}

// The root of the Merkle tree of RFC 6962 over the heads of all plans.
export function headOfHeads(heads) {
  const leaves = [...heads]
    .sort((a, b) => byBytes(a[0], b[0]))
    .map(([plan, rows, head]) => hashed(0, Buffer.from(`${plan}\n${rows}\n${head}`)));
  return root(leaves).toString("hex");
}

const hashed = (first, ...parts) =>
  createHash("sha256").update(Buffer.concat([Buffer.of(first), ...parts])).digest();

function root(leaves) {
  if (!leaves.length) return createHash("sha256").digest();
  if (leaves.length === 1) return leaves[0];
  let half = 1;
  while (half * 2 < leaves.length) half *= 2;
  return hashed(1, root(leaves.slice(0, half)), root(leaves.slice(half)));
}
