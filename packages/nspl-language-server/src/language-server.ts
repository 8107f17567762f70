import {
  type CancellationToken,
  type Connection,
  ErrorCodes,
  type InitializeParams,
  type InitializeResult,
  LSPErrorCodes,
  MarkupKind,
  Position,
  ResponseError,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver';
import { complete } from './completion.js';
import { DiagnosticsPublisher } from './diagnostics-publisher.js';
import { documentSymbols } from './document-symbols.js';
import { formatDocument } from './formatting.js';
import { hover, hoverText } from './hover.js';
import { findReferences, goToDefinition, highlight } from './navigation.js';
import { negotiateEncoding, type PositionEncoding } from './position-encoding.js';
import { prepareRename, rename } from './rename.js';
import { SourceDocument } from './source-document.js';

interface DocumentParams {
  readonly textDocument: { readonly uri: string };
}
interface PositionParams extends DocumentParams {
  readonly position: Position;
}

/**
 * Serves one client. The features are functions of documents and byte offsets; this checks what a
 * request asks for and hands it to them.
 */
export class LanguageServer {
  readonly #connection: Connection;
  readonly #version: string;
  readonly #publisher: DiagnosticsPublisher;
  readonly #documents: TextDocuments<SourceDocument>;
  #encoding: PositionEncoding = 'utf-16';
  #isMarkdown = false;

  /** @param version of this server, as the client shows it */
  constructor(connection: Connection, version: string) {
    this.#connection = connection;
    this.#version = version;
    this.#publisher = new DiagnosticsPublisher(connection);
    this.#documents = new TextDocuments<SourceDocument>({
      create: (uri, _language, itemVersion, text) =>
        new SourceDocument({ uri, version: itemVersion, text }, this.#encoding),
      update: (document, changes, changedVersion) => {
        document.change(changes, changedVersion);
        return document;
      },
    });
  }

  /** Begins to answer. */
  listen(): void {
    this.#connection.onInitialize((params) => this.#initialize(params));
    this.#followDocuments();
    this.#answerRequests();
    this.#connection.listen();
  }

  #initialize(params: InitializeParams): InitializeResult {
    const { textDocument } = params.capabilities;
    this.#encoding = negotiateEncoding(params);
    this.#isMarkdown = textDocument?.hover?.contentFormat?.includes(MarkupKind.Markdown) ?? false;
    const prepareProvider = textDocument?.rename?.prepareSupport === true;
    return {
      capabilities: {
        positionEncoding: this.#encoding,
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
        completionProvider: { triggerCharacters: ['.', ':'] },
        hoverProvider: true,
        documentFormattingProvider: true,
        documentSymbolProvider: true,
        definitionProvider: true,
        referencesProvider: true,
        documentHighlightProvider: true,
        renameProvider: prepareProvider ? { prepareProvider } : true,
      },
      serverInfo: { name: 'nspl-language-server', version: this.#version },
    };
  }

  #followDocuments(): void {
    // The first event of an opened document is that its content changed.
    const opened = new WeakSet<SourceDocument>();
    this.#documents.onDidChangeContent(({ document }) => {
      if (opened.has(document)) this.#publisher.change(document);
      else this.#publisher.open(document);
      opened.add(document);
    });
    this.#documents.onDidClose(({ document }) => this.#publisher.close(document));
    this.#documents.listen(this.#connection);
  }

  #answerRequests(): void {
    const connection = this.#connection;
    connection.onDocumentSymbol(this.#onDocument((document) => documentSymbols(document)));
    connection.onDocumentFormatting(this.#onDocument((document) => formatDocument(document)));
    connection.onCompletion(
      this.#atPosition((document, offset) => complete(document, offset, this.#documents.all())),
    );
    connection.onHover(
      this.#atPosition((document, offset) => {
        const content = hover(document, offset, this.#others(document));
        if (content === undefined) return null;
        const kind = this.#isMarkdown ? MarkupKind.Markdown : MarkupKind.PlainText;
        const value = hoverText(content, this.#isMarkdown);
        return { range: content.range, contents: { kind, value } };
      }),
    );
    connection.onDefinition(
      this.#atPosition((document, offset) =>
        goToDefinition(document, offset, this.#others(document)),
      ),
    );
    connection.onReferences(
      this.#atPosition((document, offset, { context }) =>
        findReferences(document, offset, context?.includeDeclaration === true),
      ),
    );
    connection.onDocumentHighlight(this.#atPosition(highlight));
    connection.onPrepareRename(this.#atPosition(prepareRename));
    connection.onRenameRequest(
      this.#atPosition((document, offset, { newName }) => {
        if (typeof newName !== 'string') throw invalid('newName');
        return rename(document, offset, newName);
      }),
    );
  }

  #others(document: SourceDocument): readonly SourceDocument[] {
    return this.#documents.all().filter((other) => other !== document);
  }

  /** Answers a request about a document; one that is not open is not known. */
  #onDocument<P extends DocumentParams, R>(
    answer: (document: SourceDocument, params: P) => R,
  ): (params: P, token: CancellationToken) => R | null {
    return (params, token) => {
      if (token.isCancellationRequested) {
        throw new ResponseError(LSPErrorCodes.RequestCancelled, 'the request was cancelled');
      }
      if (typeof params?.textDocument?.uri !== 'string') throw invalid('textDocument');
      const document = this.#documents.get(params.textDocument.uri);
      return document === undefined ? null : answer(document, params);
    };
  }

  /** Answers a request about a place in a document, which it is given as a byte offset. */
  #atPosition<P extends PositionParams, R>(
    answer: (document: SourceDocument, offset: number, params: P) => R,
  ): (params: P, token: CancellationToken) => R | null {
    return this.#onDocument<P, R>((document, params) => {
      if (!Position.is(params.position)) throw invalid('position');
      return answer(document, document.byteAt(params.position), params);
    });
  }
}

function invalid(parameter: string): ResponseError<void> {
  return new ResponseError(ErrorCodes.InvalidParams, `the request has no valid '${parameter}'`);
}
