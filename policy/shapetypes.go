package policy

import (
	"maps"
	"slices"

	"cel.dev/cel-go/common/types"
)

// fields are the types of a struct's fields.
type fields map[string]*types.Type

// provider tells CEL's checker the struct types of the environment and of a tool's arguments. Their values are plain
// maps: the types are for checking only.
type provider struct {
	types.Provider
	structs map[string]fields
}

// FindStructType finds a struct's type.
func (p *provider) FindStructType(name string) (*types.Type, bool) {
	if _, ok := p.structs[name]; ok {
		return types.NewTypeTypeWithParam(types.NewObjectType(name)), true
	}
	return p.Provider.FindStructType(name)
}

// FindStructFieldNames lists a struct's fields.
func (p *provider) FindStructFieldNames(name string) ([]string, bool) {
	if f, ok := p.structs[name]; ok {
		return slices.Sorted(maps.Keys(f)), true
	}
	return p.Provider.FindStructFieldNames(name)
}

// FindStructFieldType finds the type of a struct's field.
func (p *provider) FindStructFieldType(name, field string) (*types.FieldType, bool) {
	f, ok := p.structs[name]
	if !ok {
		return p.Provider.FindStructFieldType(name, field)
	}
	t, ok := f[field]
	if !ok {
		return nil, false
	}
	return &types.FieldType{Type: t}, true
}

// declare gives the type of a shape, with a struct for each object that declares fields. A field that nobody declared is
// no field of it, though the schema may admit it: naming one is most often a misspelling.
func (p *provider) declare(name string, s *Shape) *types.Type {
	if s == nil {
		return types.DynType
	}
	switch s.Kind {
	case ShapeString:
		return types.StringType
	case ShapeInteger:
		return types.IntType
	case ShapeNumber:
		return types.DoubleType
	case ShapeBoolean:
		return types.BoolType
	case ShapeMoney:
		return types.NewObjectType(typeMoney)
	case ShapeArray:
		return types.NewListType(p.declare(name+".item", s.Items))
	case ShapeObject:
		if len(s.Fields) == 0 && s.Open {
			return types.NewMapType(types.StringType, types.DynType)
		}
		for p.structs[name] != nil {
			name += "'" // a field's name may hold a point
		}
		f := fields{}
		p.structs[name] = f
		for _, field := range slices.Sorted(maps.Keys(s.Fields)) {
			f[field] = p.declare(name+"."+field, s.Fields[field])
		}
		return types.NewObjectType(name)
	}
	return types.DynType
}
