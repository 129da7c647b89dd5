package lsp

import (
	"cmp"
	"encoding/json"
	"errors"

	"ralphex/internal/lsp/jsonrpc"
)

// This file has the part of the Language Server Protocol 3.17 that we speak, with its names and numbers.

type initializeParams struct {
	ProcessID    *int               `json:"processId"`
	Capabilities clientCapabilities `json:"capabilities"`
	Options      json.RawMessage    `json:"initializationOptions"`
}

// clientCapabilities are those that change what we answer.
type clientCapabilities struct {
	General struct {
		PositionEncodings []Encoding `json:"positionEncodings"`
	} `json:"general"`
	Workspace struct {
		ApplyEdit     bool `json:"applyEdit"`
		WorkspaceEdit struct {
			DocumentChanges bool `json:"documentChanges"`
		} `json:"workspaceEdit"`
	} `json:"workspace"`
	TextDocument struct {
		CodeAction struct {
			Literals       *json.RawMessage `json:"codeActionLiteralSupport"`
			DataSupport    bool             `json:"dataSupport"`
			ResolveSupport struct {
				Properties []string `json:"properties"`
			} `json:"resolveSupport"`
		} `json:"codeAction"`
		DocumentSymbol struct {
			Hierarchical bool `json:"hierarchicalDocumentSymbolSupport"`
		} `json:"documentSymbol"`
		Hover struct {
			ContentFormat []string `json:"contentFormat"`
		} `json:"hover"`
		PublishDiagnostics struct {
			VersionSupport bool `json:"versionSupport"`
		} `json:"publishDiagnostics"`
	} `json:"textDocument"`
}

type initializeResult struct {
	Capabilities serverCapabilities `json:"capabilities"`
	ServerInfo   serverInfo         `json:"serverInfo"`
}

type serverInfo struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
}

type serverCapabilities struct {
	PositionEncoding Encoding           `json:"positionEncoding"`
	Sync             syncOptions        `json:"textDocumentSync"`
	Hover            bool               `json:"hoverProvider"`
	DocumentSymbol   bool               `json:"documentSymbolProvider"`
	FoldingRange     bool               `json:"foldingRangeProvider"`
	CodeAction       *codeActionOptions `json:"codeActionProvider,omitempty"`
	ExecuteCommand   *commandOptions    `json:"executeCommandProvider,omitempty"`
}

type syncOptions struct {
	OpenClose bool `json:"openClose"`
	Change    int  `json:"change"` // 2: incremental
	Save      bool `json:"save"`
}

type codeActionOptions struct {
	Kinds   []string `json:"codeActionKinds"`
	Resolve bool     `json:"resolveProvider"`
}

type commandOptions struct {
	Commands []string `json:"commands"`
}

type documentID struct {
	URI     string `json:"uri"`
	Version *int32 `json:"version,omitempty"`
}

type didOpenParams struct {
	Document struct {
		URI        string  `json:"uri"`
		LanguageID string  `json:"languageId"`
		Version    int32   `json:"version"`
		Text       *string `json:"text"`
	} `json:"textDocument"`
}

type didChangeParams struct {
	Document documentID      `json:"textDocument"`
	Changes  []contentChange `json:"contentChanges"`
}

type contentChange struct {
	Range *Range  `json:"range"` // nil: Text is the whole document
	Text  *string `json:"text"`
}

type documentParams struct {
	Document documentID `json:"textDocument"`
}

type hoverParams struct {
	Document documentID `json:"textDocument"`
	Position Position   `json:"position"`
}

type codeActionParams struct {
	Document documentID `json:"textDocument"`
	Range    Range      `json:"range"`
	Context  struct {
		Only []string `json:"only"`
	} `json:"context"`
}

type cancelParams struct {
	ID json.RawMessage `json:"id"`
}

type diagnostic struct {
	Range    Range  `json:"range"`
	Severity int    `json:"severity"`
	Code     string `json:"code"`
	Source   string `json:"source"`
	Message  string `json:"message"`
}

type publishParams struct {
	URI         string       `json:"uri"`
	Version     *int32       `json:"version,omitempty"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

type textEdit struct {
	Range   Range  `json:"range"`
	NewText string `json:"newText"`
}

// workspaceEdit has one of its fields, as the client can read it.
type workspaceEdit struct {
	Changes         map[string][]textEdit `json:"changes,omitempty"`
	DocumentChanges []documentEdit        `json:"documentChanges,omitempty"`
}

type documentEdit struct {
	Document documentVersion `json:"textDocument"`
	Edits    []textEdit      `json:"edits"`
}

// documentVersion has a version in any case; null means that it is not known.
type documentVersion struct {
	URI     string `json:"uri"`
	Version *int32 `json:"version"`
}

// The kinds of code actions.
const (
	kindQuickFix = "quickfix"
	kindFixAll   = "source.fixAll.ralphex"
	kindTick     = "refactor.rewrite.ralphex.tick"
)

type codeAction struct {
	Title       string         `json:"title"`
	Kind        string         `json:"kind"`
	Diagnostics []diagnostic   `json:"diagnostics,omitempty"`
	IsPreferred bool           `json:"isPreferred,omitempty"`
	Edit        *workspaceEdit `json:"edit,omitempty"`
	Data        *actionData    `json:"data,omitempty"`
}

// actionData is what codeAction/resolve makes the edit of.
type actionData struct {
	URI     string `json:"uri"`
	Version *int32 `json:"version,omitempty"`
}

type commandParams struct {
	Command   string            `json:"command"`
	Arguments []json.RawMessage `json:"arguments"`
}

type applyEditParams struct {
	Label string         `json:"label"`
	Edit  *workspaceEdit `json:"edit"`
}

type applyEditResult struct {
	Applied bool   `json:"applied"`
	Reason  string `json:"failureReason"`
}

type markup struct {
	Kind  string `json:"kind"` // markdown or plaintext
	Value string `json:"value"`
}

type hover struct {
	Contents markup `json:"contents"`
	Range    Range  `json:"range"`
}

// The kinds of symbols, as an editor draws them.
const (
	symbolTask = 6  // method
	symbolBox  = 17 // boolean
)

type symbol struct {
	Name      string   `json:"name"`
	Detail    string   `json:"detail,omitempty"`
	Kind      int      `json:"kind"`
	Range     Range    `json:"range"`
	Selection Range    `json:"selectionRange"`
	Children  []symbol `json:"children,omitempty"`
}

// flatSymbol is for clients that know no tree.
type flatSymbol struct {
	Name      string   `json:"name"`
	Kind      int      `json:"kind"`
	Location  location `json:"location"`
	Container string   `json:"containerName,omitempty"`
}

type location struct {
	URI   string `json:"uri"`
	Range Range  `json:"range"`
}

type foldingRange struct {
	StartLine uint32 `json:"startLine"`
	EndLine   uint32 `json:"endLine"`
}

// read unpacks params; the error is what to answer.
func read[T any](raw json.RawMessage) (*T, *jsonrpc.Error) {
	v := new(T)
	if len(raw) == 0 {
		return nil, jsonrpc.Errorf(jsonrpc.InvalidParams, "no params")
	}
	err := json.Unmarshal(raw, v)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return nil, jsonrpc.Errorf(jsonrpc.InvalidParams, "params: %s cannot be a %s", cmp.Or(wrong.Field, "they"), wrong.Value)
	}
	if err != nil {
		return nil, jsonrpc.Errorf(jsonrpc.InvalidParams, "params: %v", err)
	}
	return v, nil
}
