// The internal API: operations, and the stream of what happens.

export async function call(operation, args = {}) {
  const answer = await fetch(`/loopback/call/${operation}`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(args),
  });
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.error);
  return body.result;
}

export function listen(hear, lost) {
  const stream = new EventSource("/loopback/happenings");
  stream.onmessage = (event) => hear(JSON.parse(event.data));
  // After a break the browser connects again; what happened meanwhile is asked for anew.
  let broken = false;
  stream.onerror = () => { broken = true; };
  stream.onopen = () => { if (broken) { broken = false; lost(); } };
}

export async function read(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return { name: file.name, data: btoa(text), type: file.type || "application/octet-stream" };
}
