#!/bin/sh
# Each endpoint of the table in README.md with curl. API_URL is where the service answers; the keys are those of the demo.
set -eu
: "${API_URL:=http://127.0.0.1:3000}"
SITE=saffron-site-key-0000000000
EDITOR=saffron-editor-key-00000000
DESK=saffron-desk-key-0000000000
call() { curl --silent --show-error --fail-with-body "$@"; echo; }

# CMS entries: a list, one of them, and a new English name
call -H "Authorization: Bearer $SITE" "$API_URL/api/public/cms/chefs/list?limit=2&fields=name,mentor(name)"
call -H "Authorization: Bearer $SITE" "$API_URL/api/public/cms/chefs/chef_noura?fields=name"
call -X PATCH -H "Authorization: Bearer $EDITOR" -H 'Content-Type: application/json' \
  -d '{"values":{"name":{"en":"Noura"}}}' "$API_URL/api/public/cms/chefs/chef_noura?fields=name"

# The entry ends at a time, in management; another PATCH calls that off
at=$API_URL/api/v1/manage/cms-entries/chefs/chef_noura
call -X PATCH -H "Authorization: Bearer $EDITOR" -H 'Content-Type: application/json' -d '{"unpublishAt":"2099-01-31T21:00:00+03:00"}' "$at"
call -X PATCH -H "Authorization: Bearer $EDITOR" -H 'Content-Type: application/json' -d '{"unpublishAt":null}' "$at"

# Undo: the versions of the entry, newest first; the oldest of these becomes the entry again
version=$(call -H "Authorization: Bearer $EDITOR" "$at/versions?limit=4" | sed 's/.*"id":"\([ei][vm][tp]_[^"]*\)".*/\1/')
call -H "Authorization: Bearer $EDITOR" "$at/versions/$version"
call -H "Authorization: Bearer $EDITOR" -H 'Content-Type: application/json' -d "{\"version\":\"$version\"}" "$at/restore"

# Deleted records, with the versions to restore
call -H "Authorization: Bearer $EDITOR" "$API_URL/api/v1/manage/deleted?limit=2"

# The menu
call "$API_URL/api/public/menu/products?search=lamb&limit=1&includeCmsData=false&apiKey=$SITE"
call "$API_URL/api/public/menu/categories?limit=1&apiKey=$SITE"

# A form, and a response to it
call "$API_URL/api/public/forms/contact?apiKey=$SITE"
call -H 'Content-Type: application/json' -H 'Idempotency-Key: curl-1' \
  -d '{"name":"Huda","email":"huda@example.com","subject":"visit","message":"A table for two tonight?","consent":true}' \
  "$API_URL/api/public/forms/contact?apiKey=$SITE"

# A file, there and back
key=$(printf 'Hello' | curl --silent --fail-with-body -H "Authorization: Bearer $DESK" \
  -F 'files=@-;filename=hello.txt;type=text/plain' "$API_URL/api/v1/connect/attachments" |
  sed 's/.*"s3Key":"\([^"]*\)".*/\1/')
call -H "Authorization: Bearer $DESK" "$API_URL/api/v1/connect/assets/$key"

# An AI reply, event by event
call --no-buffer -H "Authorization: Bearer $DESK" -H 'Content-Type: application/json' \
  -d '{"agentId":"agent_saffron","conversationId":"conv_huda","lastMessageId":"msg_01"}' "$API_URL/api/v1/connect/ai-stream"
