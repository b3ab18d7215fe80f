// Takes the values of Secrets out of texts that are given away; names of keys stay, and so does every other line.
const MASK = "bWFza2Vk"; // "masked", as Secrets spell it
const HOLDERS = ["data", "stringData"];
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

export function speaksOfSecrets(...texts) {
  return texts.some((text) => /^\s*["']?kind["']?\s*:\s*["']?Secret["']?\s*(,|#.*)?$/m.test(text) || /"kind"\s*:\s*"Secret"|[{,]\s*kind:\s*Secret\b/.test(text));
}

export function maskSecrets(text) {
  try {
    return JSON.stringify(maskedValue(JSON.parse(text)), null, 2);
  } catch {
    return maskedLines(text.split("\n")).join("\n");
  }
}

function maskedValue(value) {
  if (Array.isArray(value)) return value.map(maskedOperation);
  if (value === null || typeof value !== "object") return value;
  const out = { ...value };
  for (const holder of HOLDERS) if (out[holder] && typeof out[holder] === "object") out[holder] = maskedMembers(out[holder]);
  if (out.metadata?.annotations?.[LAST_APPLIED]) out.metadata = { ...out.metadata, annotations: { ...out.metadata.annotations, [LAST_APPLIED]: "{}" } };
  return out;
}

function maskedMembers(members) {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, value === null ? null : MASK]));
}

function maskedOperation(operation) {
  const parts = String(operation?.path ?? "").split("/");
  if (!HOLDERS.includes(parts[1]) || !("value" in operation)) return maskedValue(operation);
  return { ...operation, value: parts.length > 2 ? MASK : maskedMembers(operation.value ?? {}) };
}

// A flow map in one line keeps its names where they are plain to see: no quotes, and nothing inside of it.
function maskedFlow(text) {
  const flow = /^\{([^"'{}[\]#]*)\}\s*$/.exec(text);
  const pairs = flow?.[1].split(",").filter((pair) => pair.trim()).map((pair) => pair.split(/:(?:\s|$)/)) ?? [];
  if (!pairs.length || pairs.some((pair) => pair.length !== 2)) return "{}  # masked";
  return `{${pairs.map(([name]) => `${name.trim()}: ${MASK}`).join(", ")}}`;
}

// YAML line by line: what stands deeper than a masked line belongs to its value, and goes with it.
function maskedLines(lines) {
  const out = [];
  let holder = -1; // how deep the data that is being masked is indented, -1 outside of it
  let value = -1; // how deep a line is whose value was masked, and may go on below
  for (const line of lines) {
    const depth = line.search(/\S/);
    const empty = depth < 0;
    if (value >= 0 && (empty || depth > value)) continue;
    value = -1;
    if (!empty && depth <= holder) holder = -1;
    const opens = /^(\s*)(data|stringData):\s*(.*)$/.exec(line);
    const member = /^(\s*)("[^"]*"|'[^']*'|[^\s#"'][^:]*):(\s.*|)$/.exec(line);
    if (holder < 0 && opens) {
      holder = depth;
      out.push(opens[3] && !opens[3].startsWith("#") ? `${opens[1]}${opens[2]}: ${maskedFlow(opens[3])}` : line);
    } else if ((holder >= 0 && member) || line.includes(`${LAST_APPLIED}:`)) {
      out.push(`${line.slice(0, line.indexOf(member ? `${member[2]}:` : LAST_APPLIED))}${member ? member[2] : LAST_APPLIED}: ${holder >= 0 ? MASK : "'{}'"}`);
      value = depth;
    } else {
      out.push(line);
    }
  }
  return out;
}
