package web

import _ "embed"

// openAPI describes the API of ours. It is written by `make golden`, from the routes and the types, and held to both by a test.
//
//go:embed openapi.json
var openAPI []byte
