/** A server in a process of its own, and the library that VS Code speaks with at the other end of the pipe. */

import { spawn, type ChildProcess } from "node:child_process";

import {
  Message,
  StreamMessageReader,
  StreamMessageWriter,
  createProtocolConnection,
  type ClientCapabilities,
  type InitializeResult,
  type ProtocolConnection,
} from "vscode-languageserver-protocol/node";

import { serverCommands } from "../src/command";

/** The interpreter with grpo-lint in it; tests that need one are skipped without. */
export const PYTHON = process.env.GRPO_LINT_PYTHON;
const { command, args } = serverCommands({ path: "", python: PYTHON ?? "python3", isTrusted: true }, undefined, "")[0]!;
export const OURS = [command, ...args];

/** What the server has sent: the method that it uses, or that it answers. */
export interface Sent {
  readonly method: string;
  readonly isAnswer: boolean;
  readonly body: unknown;
}

export class Server {
  readonly process: ChildProcess;
  readonly connection: ProtocolConnection;
  readonly ended: Promise<number | null>;
  readonly sent: Sent[] = [];

  constructor(command: readonly string[]) {
    const [program, ...words] = command;
    const started = spawn(program!, words, { stdio: ["pipe", "pipe", "inherit"] });
    this.process = started;
    this.ended = new Promise((resolve) => started.on("exit", resolve));
    this.connection = createProtocolConnection(...this.recorded(new StreamMessageReader(started.stdout), new StreamMessageWriter(started.stdin)));
    this.connection.listen();
  }

  /** Keep every message of the server beside the method of the request that it answers. */
  private recorded(reader: StreamMessageReader, writer: StreamMessageWriter): [StreamMessageReader, StreamMessageWriter] {
    const asked = new Map<unknown, string>();
    const listen = reader.listen.bind(reader);
    reader.listen = (callback) =>
      listen((message) => {
        if (Message.isResponse(message)) {
          this.sent.push({ method: asked.get(message.id) ?? "?", isAnswer: true, body: message.error ?? message.result });
        } else if (Message.isRequest(message) || Message.isNotification(message)) {
          this.sent.push({ method: message.method, isAnswer: false, body: message.params });
        }
        callback(message);
      });
    const write = writer.write.bind(writer);
    writer.write = (message) => {
      if (Message.isRequest(message)) {
        asked.set(message.id, message.method);
      }
      return write(message);
    };
    return [reader, writer];
  }

  /** The greeting; handlers of what the server may ask have to be there before. */
  async greet(capabilities: ClientCapabilities, more: object = {}): Promise<InitializeResult> {
    const params = { processId: process.pid, rootUri: null, capabilities, ...more };
    const answer = await this.connection.sendRequest<InitializeResult>("initialize", params);
    await this.connection.sendNotification("initialized", {});
    return answer;
  }

  /** The exit status of a server that is told to go. */
  async leave(): Promise<number | null> {
    await this.connection.sendRequest("shutdown");
    await this.connection.sendNotification("exit");
    return this.ended;
  }
}
