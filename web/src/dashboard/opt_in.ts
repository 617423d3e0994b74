// A policy in which a service's limits follow what is recommended.

export interface Change {
  text: string;
  added: string;
}

// Null: the policy says something of it already, or in a form that is best edited by hand.
export function optIn(policy: string, service: string): Change | null {
  const name = JSON.stringify(service);
  const lines = policy.split("\n");
  const at = lines.findIndex((line) => /^rightsizing:/.test(line));
  const entry = `    - {name: ${name}, mode: auto}`;
  if (at < 0) {
    const added = `rightsizing:\n  services:\n${entry}`;
    return { text: `${policy.replace(/\n*$/, "\n")}\n${added}\n`, added };
  }
  if (!/^rightsizing:\s*(#.*)?$/.test(lines[at]!)) return null;
  const after = lines.findIndex((line, i) => i > at && /^[^\s#]/.test(line));
  const section = lines.slice(at, after < 0 ? lines.length : after);
  if (section.some((line) => line.includes(`name: ${service}`) || line.includes(`name: ${name}`)))
    return null;
  const services = section.findIndex((line) => /^ {2}services:\s*(#.*)?$/.test(line));
  const added = services < 0 ? `  services:\n${entry}` : entry;
  lines.splice(at + (services < 0 ? 0 : services) + 1, 0, added);
  return { text: lines.join("\n"), added };
}
