// Asks the service through the client that oapi-codegen has generated, and prints what came back.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
)

type question struct {
	ModelId string `json:"modelId"`
	Entries struct {
		Filter   map[string]float32 `json:"filter"`
		Sort     string             `json:"sort"`
		Locale   string             `json:"locale"`
		Fallback []string           `json:"fallback"`
		Fields   string             `json:"fields"`
	} `json:"entries"`
	Categories struct {
		Ids       []string `json:"ids"`
		SortBy    string   `json:"sortBy"`
		SortOrder string   `json:"sortOrder"`
	} `json:"categories"`
	Files []struct {
		Name string `json:"name"`
		Text string `json:"text"`
	} `json:"files"`
}

func main() {
	if err := ask(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func ask(url, key, text string) error {
	var asked question
	if err := json.Unmarshal([]byte(text), &asked); err != nil {
		return err
	}
	client, err := NewClientWithResponses(url, WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+key)
		return nil
	}))
	if err != nil {
		return err
	}
	ctx := context.Background()
	filter := map[string]CmsEntriesListParams_Filter_AdditionalProperties{}
	for name, number := range asked.Entries.Filter {
		var value CmsEntriesListParams_Filter_AdditionalProperties
		if err := value.FromCmsEntriesListParamsFilter1(number); err != nil {
			return err
		}
		filter[name] = value
	}
	listed, err := client.CmsEntriesListWithResponse(ctx, asked.ModelId, &CmsEntriesListParams{
		Filter:   &filter,
		Sort:     &asked.Entries.Sort,
		Locale:   &asked.Entries.Locale,
		Fallback: &asked.Entries.Fallback,
		Fields:   &asked.Entries.Fields,
	})
	if err != nil {
		return err
	}
	sortBy := MenuCategoriesListParamsSortBy(asked.Categories.SortBy)
	sortOrder := MenuCategoriesListParamsSortOrder(asked.Categories.SortOrder)
	found, err := client.MenuCategoriesListWithResponse(ctx, &MenuCategoriesListParams{
		Ids:       &asked.Categories.Ids,
		SortBy:    &sortBy,
		SortOrder: &sortOrder,
		ApiKey:    &key,
	})
	if err != nil {
		return err
	}
	body := &bytes.Buffer{}
	form := multipart.NewWriter(body)
	for _, file := range asked.Files {
		part, err := form.CreateFormFile("files", file.Name)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(part, file.Text); err != nil {
			return err
		}
	}
	if err := form.Close(); err != nil {
		return err
	}
	uploaded, err := client.AttachmentsUploadWithBodyWithResponse(ctx, nil, form.FormDataContentType(), body)
	if err != nil {
		return err
	}
	if listed.JSON200 == nil || found.JSON200 == nil || uploaded.JSON200 == nil {
		return fmt.Errorf("refused: %s %s %s", listed.Body, found.Body, uploaded.Body)
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]any{
		"oapi-codegen": map[string]any{
			"entries":    listed.JSON200,
			"categories": found.JSON200.Data,
			"files":      uploaded.JSON200.Files,
		},
	})
}
